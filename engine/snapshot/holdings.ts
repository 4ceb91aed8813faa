/**
 * Who there is and what they have, in images: standings, accounts, positions, who waits for cash.
 */

import { NONE } from '../book/index.ts';
import type { Standing, Wallet } from '../model/index.ts';
import { ADDRESS, isWhole, type Lots, lots, micros, RESOLVED } from '../model/index.ts';
import { getHex, layout, putHex } from './columns.ts';
import { columnSection, need, recordSection } from './section.ts';

const ADDRESS_BYTES = 20;
const WALLETS: readonly Wallet[] = ['eoa', 'proxy', 'safe', 'deposit'];
const BAD_STANDINGS: readonly Standing[] = ['closed_only', 'banned'];

/** In order of the last change. Before the accounts, which look whether their owner has one. */
export const STANDINGS = recordSection({
  name: 'standings',
  most: (bounds) => bounds.standings,
  count: ({ ledger }) => ledger.standings.size,
  records: ({ ledger }) => ledger.standings,
  begin:
    ({ core: { ledger } }) =>
    (record) => {
      const owner = record.text('owner', ADDRESS);
      if (ledger.standings.has(owner)) record.fail('owner', 'there once', owner);
      ledger.setStanding(owner, record.oneOf('standing', BAD_STANDINGS));
    },
});

/** In order of opening, which is the order of their owners too. */
export const ACCOUNTS = columnSection({
  name: 'accounts',
  most: (bounds) => bounds.accounts,
  count: ({ ledger }) => ledger.accounts.length,
  layout: layout((cutter) => ({
    availableMicros: cutter.doubles(),
    heldMicros: cutter.doubles(),
    wallets: cutter.bytes(1),
    addresses: cutter.bytes(ADDRESS_BYTES),
    owners: cutter.bytes(ADDRESS_BYTES),
  })),
  writer:
    ({ ledger }) =>
    (columns, row, index) => {
      const { address, owner, wallet } = ledger.accounts[index]!;
      columns.availableMicros[row] = ledger.availableMicros[index]!;
      columns.heldMicros[row] = ledger.heldMicros[index]!;
      columns.wallets[row] = WALLETS.indexOf(wallet);
      putHex(columns.addresses, ADDRESS_BYTES, row, address);
      putHex(columns.owners, ADDRESS_BYTES, row, owner);
    },
  reader:
    ({ core: { ledger, bounds } }) =>
    (columns, row, index) => {
      const [available, held] = [columns.availableMicros[row]!, columns.heldMicros[row]!];
      const wallet = WALLETS[columns.wallets[row]!];
      const address = getHex(columns.addresses, ADDRESS_BYTES, row);
      const owner = getHex(columns.owners, ADDRESS_BYTES, row);
      const most = bounds.totalMicros;
      need(isWhole(available, 0, most), 'accounts', index, 'wrong availableMicros', available);
      need(isWhole(held, 0, most), 'accounts', index, 'wrong heldMicros', held);
      need(wallet !== undefined, 'accounts', index, 'no such wallet', columns.wallets[row]!);
      need(ledger.findAccount(address) === NONE, 'accounts', index, 'there already is', address);
      // One text for both, where they are the same.
      ledger.openAccount(address, owner === address ? address : owner, wallet);
      ledger.receive(index, micros(available + held));
      ledger.hold(index, micros(held));
    },
});

/** In the order in which they came into being, empty ones too: holders are told in that order. */
export const POSITIONS = columnSection({
  name: 'positions',
  most: (bounds) => bounds.accounts * bounds.markets,
  count: ({ positions }) => positions.count,
  layout: layout((cutter) => ({
    availableYes: cutter.doubles(),
    availableNo: cutter.doubles(),
    heldYes: cutter.doubles(),
    heldNo: cutter.doubles(),
    accounts: cutter.words(),
    markets: cutter.words(),
  })),
  writer:
    ({ positions }) =>
    (columns, row, index) => {
      columns.availableYes[row] = positions.available(index, 0);
      columns.availableNo[row] = positions.available(index, 1);
      columns.heldYes[row] = positions.held(index, 0);
      columns.heldNo[row] = positions.held(index, 1);
      columns.accounts[row] = positions.account[index]!;
      columns.markets[row] = positions.market[index]!;
    },
  reader: ({ core: { positions, ledger, markets } }) => {
    const put = (index: number, outcome: 0 | 1, available: number, held: number): void => {
      need(isWhole(available, 0, MOST), 'positions', index, 'wrong available lots', available);
      need(isWhole(held, 0, MOST), 'positions', index, 'wrong held lots', held);
      positions.receive(index, outcome, lots(available + held));
      positions.hold(index, outcome, held as Lots); // whole, as was just looked at
    };
    return (columns, row, index) => {
      const [account, market] = [columns.accounts[row]!, columns.markets[row]!];
      need(ledger.accounts[account] !== undefined, 'positions', index, 'no such account', account);
      need(markets[market] !== undefined, 'positions', index, 'no such market', market);
      need(positions.find(account, market) === NONE, 'positions', index, 'there twice');
      positions.add(account, market);
      put(index, 0, columns.availableYes[row]!, columns.heldYes[row]!);
      put(index, 1, columns.availableNo[row]!, columns.heldNo[row]!);
    };
  },
});

const MOST = Number.MAX_SAFE_INTEGER;

/**
 * Markets that wait to be paid, in order. Who waits in them is who has tokens now: nobody gets
 * tokens of a market that is resolved, and who was paid has none.
 */
export const REDEEMING = recordSection({
  name: 'redeeming',
  most: (bounds) => bounds.markets,
  count: ({ redemptions }) => [...redemptions.markets].length,
  *records({ redemptions }) {
    for (const market of redemptions.markets) yield [market];
  },
  begin:
    ({ core: { markets }, redeeming }) =>
    (record) => {
      const market = record.whole('market', 0, markets.length - 1);
      const isRight = markets[market]?.status === RESOLVED && !redeeming.has(market);
      if (!isRight) record.fail('market', 'a resolved one, once', market);
      redeeming.add(market);
    },
});
