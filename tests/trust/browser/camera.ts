import sharp from 'sharp'
import type { Page } from 'playwright-core'
import { drawEverything } from '#tests/support/browser/draw-everything.ts'
import type { Color } from './colors.ts'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Marks floating elements, such as the announcement: they cover different text at each scroll position. */
const FLOATS = 'data-floats'
export const NO_FLOATING = `[${FLOATS}] { visibility: hidden !important }`

/** Captures parts of a page, in page coordinates. */
export class Camera {
  readonly #page: Page
  readonly clip: Box

  readonly #fullPage: boolean

  private constructor(page: Page, clip: Box, fullPage: boolean) {
    this.#page = page
    this.clip = clip
    this.#fullPage = fullPage
  }

  /** null when none of the boxes is on the page. */
  static async over(page: Page, boxes: readonly Box[], fullPage = true): Promise<Camera | null> {
    const size = await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement
      return { width: scrollWidth, height: scrollHeight }
    })
    const x = Math.max(0, Math.floor(Math.min(...boxes.map((box) => box.x))))
    const y = Math.max(0, Math.floor(Math.min(...boxes.map((box) => box.y))))
    const right = Math.min(size.width, Math.ceil(Math.max(...boxes.map((box) => box.x + box.width))))
    const bottom = Math.min(size.height, Math.ceil(Math.max(...boxes.map((box) => box.y + box.height))))
    return right > x && bottom > y ? new Camera(page, { x, y, width: right - x, height: bottom - y }, fullPage) : null
  }

  async take(): Promise<Picture> {
    const { clip } = this
    const fullPage = this.#fullPage
    const scrolled = await this.#page.evaluate(() => ({ x: scrollX, y: scrollY }))
    const shot = fullPage ? clip : { ...clip, x: clip.x - scrolled.x, y: clip.y - scrolled.y }
    const file = await this.#page.screenshot({ fullPage, clip: shot, animations: 'disabled', scale: 'css' })
    const pixels = await sharp(file).removeAlpha().raw().toBuffer()
    return (x, y) => {
      const place = ((y - clip.y) * clip.width + x - clip.x) * 3
      return [pixels[place] ?? 0, pixels[place + 1] ?? 0, pixels[place + 2] ?? 0]
    }
  }
}

export type Picture = (x: number, y: number) => Color

/** Prepares the page for screenshots: draws all of it, scrolls to the top and hides floating elements (`NO_FLOATING`). */
export async function readyForCamera(page: Page): Promise<void> {
  await drawEverything(page)
  await page.evaluate(markFloating, FLOATS)
}

/** Runs in the page, which is then scrolled to the top, and its strips and columns to the start, so that sticky elements cover nothing. */
function markFloating(name: string): void {
  scrollTo(0, 0)
  for (const element of document.querySelectorAll('body *')) {
    if (element.scrollLeft > 0) element.scrollLeft = 0
    if (element.scrollTop > 0) element.scrollTop = 0
    const floats = getComputedStyle(element).position === 'fixed' && !element.closest('[role=dialog]')
    if (floats && !element.querySelector('[role=dialog]')) element.setAttribute(name, '')
  }
}
