/** What the server needs to know about a page, declared in `src/web/app/page-data.ts`. */
export interface PageMetadata {
  /** The path in the route table; a path that ends in `:id` stands for all content of that kind. */
  path: string
  /** All paths below belong to this page, which does its own routing in the browser; its route ends in `/*`. */
  hasSubpaths?: true
  /**
   * It shows people who may leave at any moment: it is rendered for each request, kept in no cache, and gets the whole query string. Whether it is in the
   * sitemap depends on what it shows (`contentPaths`).
   */
  isLive?: true
  /** Listed in the sitemap; every other page is `noindex`. */
  indexed: boolean
  /** The URL may contain a token or nonce, so it is never sent as a referrer (docs/product-rules.md#return-from-payment). */
  hasSecretUrl?: boolean
  /** The page may use the camera, to scan codes at event check-in. */
  camera?: boolean
  /** The page may register the service worker for offline use. */
  worker?: boolean
  /**
   * The query parameters that change what the server renders. `present`: only whether it is set and not empty matters; a list has the relevant values,
   * in which `other` stands for every value that is not listed.
   * A page reads all other parameters after mounting.
   */
  queryParameters?: Record<string, 'present' | readonly string[]>
}
