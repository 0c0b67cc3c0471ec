/** What the server must know of a page besides what it shows. The pages themselves say it, in `src/web/app/page-facts.ts`. */
export interface PageFacts {
  /** As in the route table; one that ends in `:id` stands for all content of its kind. */
  path: string
  /** Whatever lies below its path is the same page, which finds out in the browser what to show; its route ends in `/*`. */
  below?: true
  /** In the sitemap; every other page is `noindex`. */
  indexed: boolean
  /** The address may hold a token or nonce: no other site learns it as the referrer (docs/product-rules.md#return-from-payment). */
  secretAddress?: boolean
  /** It may ask for the camera: codes are read at the door of an event. */
  camera?: boolean
  /** It may register the worker that opens it without a network. */
  worker?: boolean
  /**
   * The only queries that change what the server renders. `present` counts whether it is there and not empty; a list
   * names the values that count. A page reads every other query after it has mounted.
   */
  queries?: Record<string, 'present' | readonly string[]>
}
