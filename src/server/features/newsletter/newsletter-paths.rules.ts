/** The path in the List-Unsubscribe header of every newsletter. */
export const ONE_CLICK_PATH = '/newsletter/one-click'
