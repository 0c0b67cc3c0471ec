import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { getYear } from '#contract/console/money/year.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { ConsoleMember } from '#contract/console/member.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { exportMembers } from '#server/admin/members/members-csv.ts'
import { members } from '#server/admin/members/member-commands.ts'
import { readCsv } from '#server/lib/csv/csv.ts'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
let president: TestBrowser

beforeAll(async () => {
  president = (await newOfficer(app(), ['president'])).browser
  await recordSecondFactor(app(), president)
})

const today = () => dayOf(app().now(), app().config.timeZone)
const nextYear = () => String(Number(today().slice(0, 4)) + 1)

async function refundedMember(levelKey: string) {
  const browser = app().browser()
  const { person, start } = await browser.registerAndStart({ levelKey })
  const { body } = await browser.verifySession(await browser.pay(start.body.sessionUrl as string))
  browser.token = body.token as string
  await app().drain()
  const found = await president.get(`/api/console/members?q=${encodeURIComponent(person.email)}`)
  const id = found.body.members[0].id as string
  const { payments } = (await president.get(`/api/console/members/${id}`)).body as ConsoleMember
  const duesBefore = await duesThisYear()
  const refund = `/api/console/members/${id}/payments/${payments?.[0]?.id}/refund`
  const { status } = await president.post(refund, { reason: 'Joined by mistake' })
  expect(status).toBe(200)
  await app().drain()
  return { browser, email: person.email, id, amount: payments?.[0]?.amount ?? 0, duesBefore }
}

async function duesThisYear(): Promise<number> {
  const { kinds } = (await president.get('/api/console/year?basis=calendar')).body as ReplyOf<typeof getYear>
  return kinds.find(({ kind }) => kind === 'dues')?.revenue ?? 0
}

async function download(path: string): Promise<string> {
  const response = await fetch(app().url + path, { headers: { authorization: `Bearer ${president.token}` } })
  return response.text()
}

/** Runs a command and returns its output. */
async function command(run: typeof members, args: readonly string[]): Promise<string> {
  const output: string[] = []
  const { database, config } = app()
  const clock = { now: () => app().now() }
  await run(args, { database, config, clock, say: (line: string) => void output.push(line) } as never)
  return output.join('\n')
}

test.each(['annual_member', 'life_member'])(
  'a refunded membership of %s ends today on every page, in every export and command, and its dues are not counted as income',
  async (levelKey) => {
    const { browser, email, id, amount, duesBefore } = await refundedMember(levelKey)
    expect(await duesThisYear()).toBe(duesBefore - amount)

    const { body: page } = await president.get(`/api/console/members/${id}`)
    expect(page.state).toBe('CANCELED')
    expect(dayOf(Date.parse(page.endsAt), app().config.timeZone)).toBe(today())
    const listed = (await president.get(`/api/console/members?q=${email}`)).body.members[0]
    expect(listed.endsAt).toBe(page.endsAt)
    expect((await president.get(`/api/console/members?q=${email}&ending=400`)).body.total).toBe(0)

    const [heading = [], row = []] = readCsv(await download(`/api/console/members/export?q=${email}`))
    expect(row[heading.indexOf('Ends on')]).toBe(today())
    const folder = mkdtempSync(join(tmpdir(), 'association-export-'))
    const file = join(folder, 'members.csv')
    await command(exportMembers, [file])
    const [names = [], ...rows] = readCsv(readFileSync(file, 'utf8'))
    rmSync(folder, { recursive: true })
    expect(rows.find((cells) => cells.includes(email))?.[names.indexOf('endsOn')]).toBe(today())
    for (const args of [
      ['list', 'canceled'],
      ['show', email],
    ]) {
      const output = (await command(members, args)).split('\n').filter((line) => /^CANCELED|^Membership/.test(line))
      expect(output.join('\n')).not.toContain(nextYear())
    }

    const own = (await browser.get('/api/account/profile')).body.subscription
    expect([own.nextBillDate, dayOf(Date.parse(own.cancelDate), app().config.timeZone)]).toEqual([null, today()])
    const { memberships, payments } = (await browser.get('/api/account/data')).body
    expect(memberships[0].endsAt?.slice(0, 4)).toBe(today().slice(0, 4))
    expect(payments[0].amountRefunded).toBe(amount)

    // Importing the exported file changes nothing.
    const exported = await download(`/api/console/members/export?q=${email}`)
    const response = await fetch(`${app().url}/api/console/member-import-file?filename=members.csv`, {
      method: 'POST',
      headers: { authorization: `Bearer ${president.token}`, 'content-type': 'application/octet-stream' },
      body: exported,
    })
    expect(((await response.json()) as { counts: object }).counts).toMatchObject({ rows: 1, unchanged: 1 })
  },
)
