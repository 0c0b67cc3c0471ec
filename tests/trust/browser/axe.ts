import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

type Results = Awaited<ReturnType<AxeBuilder['analyze']>>
type Options = Parameters<AxeBuilder['options']>[0]
type Finding = Results['violations'][number]

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

/** What axe finds on a page in its current state. @param rules all rules by default */
export async function runAxe(page: Page, rules?: string[]): Promise<Judgement> {
  const options = { ...OPTIONS, ...(rules && { runOnly: rules }) }
  // Once injected, the library stays as long as the page does.
  const isThere = await page.evaluate(() => 'axe' in window)
  const { violations, incomplete } = isThere
    ? await page.evaluate((told) => (window as unknown as { axe: Axe }).axe.run(document, told), options)
    : await new AxeBuilder({ page }).setLegacyMode(true).options(options).analyze()
  return { violations: violations.flatMap(barriersOf), incomplete: incomplete.flatMap(barriersOf) }
}

function barriersOf({ id, nodes }: Finding): Barrier[] {
  return nodes.map(({ target, html, any, all, none }) => ({
    rule: id,
    target: String(target[0]),
    html,
    why: [...any, ...all, ...none].map(({ message }) => message).join('; '),
  }))
}

interface Axe {
  run(context: Document, options: Options): Promise<Results>
}
