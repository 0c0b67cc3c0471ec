import { useFrameContents } from '#web/features/association/frame-contents.ts'

/**
 * Of an address on this very site, the path: it holds as well for whoever came here by another name of the site, where the
 * policy of the page would refuse the full one. Other addresses stay as they are.
 */
export function useOwnAddress(): (address: string) => string {
  const { siteUrl } = useFrameContents()
  return (address) => (siteUrl && address.startsWith(`${siteUrl}/`) ? address.slice(siteUrl.length) : address)
}
