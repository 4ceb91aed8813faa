/** The sections of standings, accounts, positions and automatic redemption. */

import { NONE } from '../book/index.ts';
import type { Standing } from '../model/index.ts';
import { ADDRESS, isWhole, lots, micros, RESOLVED, WALLET_KINDS } from '../model/index.ts';
import { getHex, layout, putHex } from './columns.ts';
import { columnSection, need, partSection, recordSection } from './section.ts';

const ADDRESS_BYTES = 20;
const RESTRICTED_STANDINGS: readonly Standing[] = ['closed_only', 'banned'];
const MAXIMUM = Number.MAX_SAFE_INTEGER;

/** In order of the last change. Precedes the accounts: opening one looks up the standing. */
export const STANDING_SECTION = recordSection({
  name: 'standings',
  maximum: (bounds) => bounds.standings,
  count: ({ ledger }) => ledger.standings.size,
  records: ({ ledger }) => ledger.standings,
  begin:
    ({ state: { ledger } }) =>
    (record) => {
      const owner = record.text('owner', ADDRESS);
      if (ledger.standings.has(owner)) record.fail('owner', 'in no earlier record', owner);
      ledger.setStanding(owner, record.oneOf('standing', RESTRICTED_STANDINGS));
    },
});

/** In order of opening, which also gives the order of owners. */
export const ACCOUNTS = columnSection({
  name: 'accounts',
  maximum: (bounds) => bounds.accounts,
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
      columns.wallets[row] = WALLET_KINDS.indexOf(wallet);
      putHex(columns.addresses, ADDRESS_BYTES, row, address);
      putHex(columns.owners, ADDRESS_BYTES, row, owner);
    },
  reader:
    ({ state: { ledger, bounds } }) =>
    (columns, row, index) => {
      const [available, held] = [columns.availableMicros[row]!, columns.heldMicros[row]!];
      const wallet = WALLET_KINDS[columns.wallets[row]!];
      const address = getHex(columns.addresses, ADDRESS_BYTES, row);
      const owner = getHex(columns.owners, ADDRESS_BYTES, row);
      const maximum = bounds.totalMicros;
      need(isWhole(available, 0, maximum), 'accounts', index, 'availableMicros', available);
      need(isWhole(held, 0, maximum), 'accounts', index, 'heldMicros', held);
      need(wallet !== undefined, 'accounts', index, 'wallet', columns.wallets[row]!);
      need(ledger.findAccount(address) === NONE, 'accounts', index, 'its address is repeated');
      // One string for both if they are equal.
      ledger.openAccount(address, owner === address ? address : owner, wallet);
      ledger.receive(index, micros(available + held));
      ledger.hold(index, micros(held));
    },
});

/** In order of creation, including empty ones, because holders are listed in that order. */
export const POSITIONS = partSection({
  name: 'positions',
  maximum: (bounds) => bounds.accounts * bounds.markets,
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
  reader: ({ state: { positions, ledger, markets }, positionCount }) => {
    positions.reserve(positionCount);
    const put = (index: number, outcome: 0 | 1, available: number, held: number): void => {
      need(isWhole(available, 0, MAXIMUM), 'positions', index, 'available lots', available);
      need(isWhole(held, 0, MAXIMUM), 'positions', index, 'held lots', held);
      positions.restore(index, outcome, lots(available), lots(held));
    };
    return (columns, rows, first) => {
      for (let row = 0; row < rows; row += 1) {
        const [account, market] = [columns.accounts[row]!, columns.markets[row]!];
        const isAccount = ledger.accounts[account] !== undefined;
        need(isAccount, 'positions', first + row, 'account', account);
        need(markets[market] !== undefined, 'positions', first + row, 'market', market);
      }
      const repeated = positions.addAll(columns.accounts, columns.markets);
      need(repeated === NONE, 'positions', first + repeated, 'it is repeated');
      for (let row = 0; row < rows; row += 1) {
        put(first + row, 0, columns.availableYes[row]!, columns.heldYes[row]!);
        put(first + row, 1, columns.availableNo[row]!, columns.heldNo[row]!);
      }
    };
  },
});

/**
 * Markets in automatic redemption, in order of resolution. Their queues are not stored: they
 * contain the accounts that still have tokens of the market.
 */
export const REDEEMING = recordSection({
  name: 'redeeming',
  maximum: (bounds) => bounds.markets,
  count: ({ redemptions }) => [...redemptions.markets].length,
  *records({ redemptions }) {
    for (const market of redemptions.markets) yield [market];
  },
  begin:
    ({ state: { markets }, redeeming }) =>
    (record) => {
      const market = record.whole('market', 0, markets.length - 1);
      const isRight = markets[market]?.status === RESOLVED && !redeeming.has(market);
      if (!isRight) record.fail('market', 'a resolved market that no earlier record has', market);
      redeeming.add(market);
    },
});
