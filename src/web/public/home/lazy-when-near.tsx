import { lazy, useEffect, type ComponentType } from 'react'

/** How far below the window a part starts loading, in the window's heights. */
const MARGIN = '25%'
const INTERACTIONS = ['pointerdown', 'keydown', 'popstate']
/** After a touch: what it asks for comes first. */
const AFTER_TOUCH_MS = 300

/**
 * For a part of the server's HTML whose code is needed only once a visitor is about to use it: loads it when the first
 * element of `selector` comes near the window, or soon after the first touch anywhere. If that fails, the HTML stays as it is,
 * and the next touch tries again. A form in it that is submitted before React has taken over is submitted then: the browser would leave the page.
 * On the server and after a navigation there is no such element: it loads at once, and fails as `load` does.
 */
export function lazyWhenNear<Props extends object>(selector: string, load: () => Promise<ComponentType<Props>>) {
  const element = import.meta.env.SSR ? null : document.querySelector(selector)
  // From now on: between the page's hydration and the part's own, nothing else would hold them.
  const early = element && holdSubmissions(element)
  return lazy(async () => {
    if (!early) return { default: await load() }
    const { first, release } = early
    await Promise.race([nearness(element), nextTouch(), first])
    const Part = await loadAtLast(load)
    function TakenOver(props: Props) {
      useEffect(release, [])
      return <Part {...props} />
    }
    return { default: TakenOver }
  })
}

async function loadAtLast<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load()
    } catch {
      await nextTouch()
    }
  }
}

function holdSubmissions(element: Element): { first: Promise<void>; release(): void } {
  const held = new Set<HTMLFormElement>()
  let resolve = () => {}
  const first = new Promise<void>((done) => {
    resolve = done
  })
  function hold(event: Event) {
    const { target } = event
    if (!(target instanceof HTMLFormElement) || !element.contains(target)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    held.add(target)
    resolve()
  }
  addEventListener('submit', hold, true)
  return {
    first,
    release() {
      removeEventListener('submit', hold, true)
      for (const form of held) if (form.isConnected) form.requestSubmit()
      held.clear()
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
