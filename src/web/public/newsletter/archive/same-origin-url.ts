import { useFrameContents } from '#web/shared/frame-contents.ts'

/**
 * Shortens URLs of this site to their path, so that they also work under another host name, where the content security
 * policy would block the full URL. Other URLs are unchanged.
 */
export function useSameOriginUrl(): (address: string) => string {
  const { siteUrl } = useFrameContents()
  return (address) => (siteUrl && address.startsWith(`${siteUrl}/`) ? address.slice(siteUrl.length) : address)
}
