import axe, { type AxeResults, type Result, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { drawEverything } from './draw-everything.ts'

type Options = RunOptions & { checks?: Record<string, { options: object }> }

/** Excludes the map's page, which is another site's. */
const OPTIONS: Options = {
  resultTypes: ['violations', 'incomplete'],
  preload: false,
  iframes: false,
  rules: { 'frame-tested': { enabled: false } },
}

export interface Barrier {
  rule: string
  /** The element's selector. */
  target: string
  html: string
  why: string
}

export interface Judgement {
  violations: Barrier[]
  /** Results that axe leaves to a person. */
  incomplete: Barrier[]
}

/** What axe finds on a page in its current state, by all its rules unless the options say which. */
export async function runAxe(page: Page, options: Options = {}): Promise<Judgement> {
  await drawEverything(page)
  // Once injected, the library stays as long as the page does. Injected here, since axe's own package for Playwright takes four times as long.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations, incomplete } = await page.evaluate(
    (told) => (window as unknown as { axe: Axe }).axe.run(document, told),
    { ...OPTIONS, ...options },
  )
  return { violations: violations.flatMap(barriersOf), incomplete: incomplete.flatMap(barriersOf) }
}

function barriersOf({ id, nodes }: Result): Barrier[] {
  return nodes.map(({ target, html, any, all, none }) => ({
    rule: id,
    target: String(target[0]),
    html,
    why: [...any, ...all, ...none].map(({ message }) => message).join('; '),
  }))
}

interface Axe {
  run(context: Document, options: Options): Promise<AxeResults>
}
