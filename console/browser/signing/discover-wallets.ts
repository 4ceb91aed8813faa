/**
 * Finds the wallets of the browser (EIP-6963): each announces itself by an event of the window.
 *
 * Invariant: names and pictures come from strangers. A picture is only ever a data URL of an image,
 * for the `src` of an <img>, where no script in it runs.
 * Bound: MAX_WALLETS wallets; announcements with longer texts are not listed.
 */
import type { WalletProvider } from './wallet-signer.ts';

export interface FoundWallet {
  /** Of this visit of the page. */
  readonly uuid: string;
  readonly name: string;
  /** A data URL of an image; '' without one. */
  readonly icon: string;
  /** The maker's domain name, reversed. */
  readonly rdns: string;
  readonly provider: WalletProvider;
}

const MAX_WALLETS = 20;
const MAX_TEXT = 100;
const MAX_ICON = 100_000;
const ANNOUNCE = 'eip6963:announceProvider';
const REQUEST = 'eip6963:requestProvider';
const ICON = /^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/;

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  // Safe: any object can be read by key.
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function isProvider(value: unknown): value is WalletProvider {
  return typeof fieldsOf(value).request === 'function';
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT ? value : undefined;
}

/** The wallet of an announcement; undefined if it is not one or its texts are too long. */
function walletIn(event: Event): FoundWallet | undefined {
  const { info, provider } = fieldsOf(fieldsOf(event).detail);
  const fields = fieldsOf(info);
  const [uuid, name, rdns] = [fields.uuid, fields.name, fields.rdns].map(textIn);
  if (uuid === undefined || name === undefined || rdns === undefined) return undefined;
  if (!isProvider(provider)) return undefined;
  const { icon } = fields;
  const isShown = typeof icon === 'string' && icon.length <= MAX_ICON && ICON.test(icon);
  return { uuid, name, rdns, icon: isShown ? icon : '', provider };
}

/**
 * Calls `onChange` with all wallets whenever one announces itself, and asks them to. Returns a
 * function that stops it. A wallet that announces itself again is listed once.
 */
export function discoverWallets(
  window: EventTarget,
  onChange: (wallets: readonly FoundWallet[]) => void,
): () => void {
  const found = new Map<string, FoundWallet>();
  const listen = (event: Event): void => {
    const wallet = walletIn(event);
    if (wallet === undefined || found.has(wallet.uuid) || found.size === MAX_WALLETS) return;
    found.set(wallet.uuid, wallet);
    onChange([...found.values()]);
  };
  window.addEventListener(ANNOUNCE, listen);
  window.dispatchEvent(new Event(REQUEST));
  return () => window.removeEventListener(ANNOUNCE, listen);
}
