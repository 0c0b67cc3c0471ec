/** How far below the window a part starts loading, in the window's heights. */
const MARGIN = '25%'
const INTERACTIONS = ['pointerdown', 'keydown', 'popstate']
/** After a touch: what it asks for comes first. */
const AFTER_TOUCH_MS = 300

/**
 * For code that a part of the server's HTML needs only once a visitor is about to use it: loads it when the first
 * element of `selector` comes near the window, or soon after the first touch anywhere. If that fails, the HTML stays as it is,
 * and the next touch tries again. On the server and after a navigation there is no such element: loads at once.
 * @throws only then, what `load` throws
 */
export async function loadWhenNear<T>(selector: string, load: () => Promise<T>): Promise<T> {
  const element = import.meta.env.SSR ? null : document.querySelector(selector)
  if (!element) return load()
  const early = holdSubmissions(element)
  await Promise.race([nearness(element), nextTouch(), early.first])
  for (;;) {
    try {
      const loaded = await load()
      early.release()
      return loaded
    } catch {
      await nextTouch()
    }
  }
}

/** A form that is sent before its code is loaded would leave the page: it waits, and is sent when its code has taken over. */
function holdSubmissions(element: Element): { first: Promise<void>; release(): void } {
  const held = new Set<HTMLFormElement>()
  let resolve = () => {}
  const first = new Promise<void>((done) => {
    resolve = done
  })
  function hold(event: Event) {
    const { target } = event
    const isBelow =
      target instanceof HTMLFormElement &&
      (element.contains(target) || (element.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0)
    if (!isBelow || !document.getElementById('main')?.contains(target)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    held.add(target)
    resolve()
  }
  addEventListener('submit', hold, true)
  return {
    first,
    release() {
      // React takes the form over a moment after its code is loaded.
      setTimeout(() => {
        removeEventListener('submit', hold, true)
        for (const form of held) if (form.isConnected) form.requestSubmit()
      }, AFTER_TOUCH_MS)
    },
  }
}

function nearness(element: Element): Promise<void> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        resolve()
      },
      { rootMargin: `0px 0px ${MARGIN}` },
    )
    observer.observe(element)
  })
}

function nextTouch(): Promise<void> {
  return new Promise((resolve) => {
    function touch() {
      for (const interaction of INTERACTIONS) removeEventListener(interaction, touch, true)
      setTimeout(resolve, AFTER_TOUCH_MS)
    }
    for (const interaction of INTERACTIONS) addEventListener(interaction, touch, true)
  })
}
