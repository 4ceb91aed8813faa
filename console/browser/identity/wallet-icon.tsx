/** The picture of a wallet: a data URL, whose scripts a browser does not run in an <img>. */
export function WalletIcon({ url }: { url: string }) {
  if (url === '') return null;
  return <img class="wallet" src={url} alt="" width={20} height={20} />;
}
