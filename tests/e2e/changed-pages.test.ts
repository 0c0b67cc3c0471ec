import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServerBuild } from 'react-router'
import { PERMISSIONS } from '#contract/access.ts'
import type { ContentField, ContentValue } from '#contract/console/content.ts'
import { pageData } from '#web/app/page-data.ts'
import { paths } from '#web/app/paths.ts'
import type { AppOptions } from '#server/app.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { parseContentValue } from '#server/features/content/content-value.rules.ts'
import type { EditableKind } from '#server/features/content-store/content-kind.rules.ts'
import { editableKinds } from '#server/features/content-store/content-kinds.registry.ts'
import type { Officer } from '#server/http/serve.ts'
import type { CompletedRequest } from '#server/pages/page-server.ts'
import { createPages } from '#server/pages/pages.ts'
import { createRenderer, type RenderPage } from '#server/pages/render-page.ts'
import { createTestApp, type TestApp } from '#tests/support/test-app.ts'
import { buildSite } from '#tools/build.ts'

type PageTools = Parameters<NonNullable<AppOptions['makePages']>>[0]

/** Two instances on one database: `writer` never polls, so that it shows only what it applies by itself. */
interface Instance extends TestApp {
  tools: PageTools
  /** Renders a page from the content of this instance, without its page cache. */
  renderAfresh: RenderPage
  /** Its responses to the request for a page. */
  completed: CompletedRequest[]
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const SHOWN_WITHIN_MS = 1_000
let folder = ''
let writer: Instance
let other: Instance

beforeAll(async () => {
  // The production build of react, as on a site: the two differ in what they render.
  process.env['NODE_ENV'] = 'production'
  folder = mkdtempSync(join(tmpdir(), 'association-instances-'))
  writer = await startInstance({ samples: true, polling: false })
  const page = { title: 'Volunteer', address: 'volunteer', description: 'Help us.', markdown: 'Come.', menu: 'About' }
  const { content } = writer.app.services
  const { version } = await content.get({ kind: 'added-pages', id: 'new' })
  await content.save(officer, { kind: 'added-pages', id: 'new' }, { value: page, version, action: 'publish' })
  other = await startInstance({ polling: true, standins: writer.standins })
})
afterAll(async () => {
  await other?.[Symbol.asyncDispose]()
  await writer?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

async function startInstance(options: Parameters<typeof createTestApp>[0]): Promise<Instance> {
  const { directory } = await buildSite({ log: () => {} })
  const build = (await import(pathToFileURL(join(directory, 'server', 'index.js')).href)) as ServerBuild
  const completed: CompletedRequest[] = []
  let tools: PageTools | null = null
  const app = await createTestApp({
    environment: { RATE_LIMITS: 'off' },
    ...options,
    database: openDatabase(`sqlite:${folder}/shared.db`, quiet),
    makePages(given) {
      tools = given
      const clock = { now: Date.now }
      const onCompleted = (response: CompletedRequest) => void completed.push(response)
      return createPages({ ...given, onCompleted, buildDirectory: directory, siteUrl: 'http://localhost:3000', clock })
    },
  })
  // Assigned in a callback, which type narrowing does not track.
  const given = tools as PageTools | null
  if (!given) throw new Error('The application created no pages')
  const onError = (error: unknown) => {
    throw error
  }
  const renderAfresh = await createRenderer({
    build,
    services: given.services,
    siteUrl: 'http://localhost:3000',
    onError,
  })
  return Object.assign(app, { tools: given, renderAfresh, completed })
}

/** Every page of a fixed address but the set-up page, which an open site does not have, and one that is rendered for each request; some of events and news, and the framework's data request of some. */
function addressesOf({ tools }: Instance, changed: readonly string[]): string[] {
  const fixed = pageData.flatMap(({ path, hasSubpaths, isLive }) =>
    path.includes(':') || hasSubpaths || isLive || path === paths.setup() ? [] : [path],
  )
  const some = ['/events/', '/news/'].flatMap((start) =>
    [...tools.contentPaths()].filter((path) => path.startsWith(start)).slice(0, 3),
  )
  const data = ['/_.data', '/events.data', '/about.data']
  return [...new Set([...fixed, ...some, ...changed, '/news?category=news', ...data])]
}

interface Shown {
  html: string
  isRendered: boolean
}

async function visit({ url, completed }: Instance, addresses: readonly string[]): Promise<Map<string, Shown>> {
  const pages = new Map<string, Shown>()
  for (const address of addresses) {
    completed.length = 0
    const html = await (await fetch(url + address)).text()
    pages.set(address, { html, isRendered: completed.at(-1)?.source === 'made' })
  }
  return pages
}

/** The addresses at which an instance does not show what its content says now. */
async function outdatedPages({ renderAfresh }: Instance, shown: ReadonlyMap<string, Shown>): Promise<string[]> {
  const outdated: string[] = []
  for (const [address, { html }] of shown)
    if ((await renderAfresh(address)).body.toString() !== html) outdated.push(address)
  return outdated
}

/** A valid value with one field changed, of which the text is shown if any is. */
function changedValue(kind: EditableKind, value: ContentValue, id: string): ContentValue {
  for (const change of [changeText, changeChoice])
    for (const field of kind.fields.filter(({ isFixed }) => !isFixed)) {
      const changed = { ...structuredClone(value) }
      if (!changeField(changed, field, change)) continue
      const parsed = parseContentValue(kind, changed, id)
      if (parsed.value && JSON.stringify(parsed.value) !== JSON.stringify(value)) return parsed.value
    }
  throw new Error(`No field of ${kind.kind} can be changed`)
}

type Field = Omit<ContentField, 'fields'> & { fields: unknown }
/** Returns another value than the present one; undefined if the control is of another kind. */
type Change = (now: unknown, field: Field) => unknown

function changeText(now: unknown, { control }: Field): unknown {
  if (control === 'lines' && Array.isArray(now)) return [...(now as string[]), 'One more']
  if (control === 'number' && typeof now === 'number') return now + 1
  if (control === 'color') return '#5b21b6'
  if (typeof now !== 'string' || control === 'switch' || control === 'choice') return undefined
  return /^\d\d-\d\d$/.test(now) ? '03-14' : `${now} changed`
}

function changeChoice(now: unknown, { control, options }: Field): unknown {
  if (control === 'switch') return now !== true
  if (control === 'choice') return options.find(({ value }) => value !== now)?.value
  return undefined
}

function changeField(value: ContentValue, field: Field, change: Change): boolean {
  const { name, control, fields } = field
  const inner = name.split('.').slice(0, -1)
  const owner = inner.reduce<ContentValue>((part, key) => part[key] as ContentValue, value)
  const last = name.split('.').at(-1) ?? ''
  const now = owner[last]
  if (control === 'group') {
    const [first] = (now ?? []) as ContentValue[]
    return first !== undefined && (fields as ContentField[]).some((one) => changeField(first, one, change))
  }
  const next = change(now, field)
  if (next === undefined || next === now) return false
  owner[last] = next
  return true
}

/** Some pages read all of these and show a few, so a change may leave them as they are; an article looks for its author among the leaders. */
const CHOSEN_FROM_A_LIST = ['events', 'news', 'leaders']

/** Announcement, name and term of the committees are on every page; events and news also on the home page. */
function mayShow(name: string, address: string): boolean {
  if (!CHOSEN_FROM_A_LIST.includes(name) || name === 'leaders') return true
  return address === '/' || address === '/_.data' || address.startsWith(`/${name}`)
}

const officer = { accountId: 'webmaster', permissions: [...PERMISSIONS] } as unknown as Officer

/** Waits until an instance has taken over the version of another. */
async function msUntilSame(from: Instance, to: Instance): Promise<number> {
  const startedAt = performance.now()
  // The first part; the other is that of the pictures.
  const versionOf = ({ tools }: Instance) => tools.contentVersion().split(' ')[0]
  while (versionOf(to) !== versionOf(from)) await sleep(5)
  return performance.now() - startedAt
}

/** A part that is turned off takes its pages away: see `tests/e2e/profiles.test.ts`. */
const changedKinds = editableKinds.filter(({ kind }) => kind !== 'settings-parts')

test.each(changedKinds.map((kind) => [kind.kind, kind] as const))(
  'a change of %s is shown at once where it was made and within a second elsewhere, and only its pages are rendered again',
  async (name, kind) => {
    const { content } = writer.app.services
    const { records } = await content.list(name, {})
    const id = records[0]?.id ?? ''
    const { value, version } = await content.get({ kind: name, id })
    const addresses = addressesOf(writer, kind.pathOf ? [kind.pathOf(id, value)] : [])
    const before = [await visit(writer, addresses), await visit(other, addresses)] as const

    await content.save(
      officer,
      { kind: name, id },
      { value: changedValue(kind, value, id), version, action: 'publish' },
    )
    const after = await visit(writer, addresses)
    expect(await msUntilSame(writer, other)).toBeLessThan(SHOWN_WITHIN_MS)
    const elsewhere = await visit(other, addresses)

    expect(await outdatedPages(writer, after)).toEqual([])
    for (const [pages, former] of [
      [after, before[0]],
      [elsewhere, before[1]],
    ] as const) {
      expect(addresses.filter((address) => pages.get(address)?.html !== after.get(address)?.html)).toEqual([])
      const changed = addresses.filter((address) => pages.get(address)?.html !== former.get(address)?.html)
      const rendered = addresses.filter((address) => pages.get(address)?.isRendered)
      if (CHOSEN_FROM_A_LIST.includes(name)) expect(rendered).toEqual(expect.arrayContaining(changed))
      else expect(rendered).toEqual(changed)
      expect(rendered.filter((address) => !mayShow(name, address))).toEqual([])
    }
  },
)
