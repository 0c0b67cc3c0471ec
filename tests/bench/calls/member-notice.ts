import { setTimeout as sleep } from 'node:timers/promises'
import type { MemberEmailDetail } from '#contract/console/emails/member-emails.ts'
import { postJson, request } from '#tests/trust/http.ts'
import type { BenchSite } from '../site.ts'

const PATH = '/api/console/member-emails'
const LOOK_EVERY_MS = 500

export interface Notice {
  id: string
  /** The milliseconds to read the notice, with whom it reaches. */
  read(): Promise<number>
  /** Sends it. @returns emails per second, from the press of the button; it includes fixing the list */
  send(options: { withinMs: number }): Promise<number>
}

/** A notice to every member, not sent yet. */
export async function writeNotice(site: BenchSite, headers: { authorization: string }): Promise<Notice> {
  const { id, version } = await post(PATH, { name: 'Annual meeting', topic: 'notice', audience: { filter: {} } })
  const path = `${PATH}/${id}`
  return {
    id,

    async read() {
      return (await request(site.url, { path, headers })).ms
    },

    async send({ withinMs }) {
      const startedAt = performance.now()
      const { reach } = await post(`${path}/send`, { version, at: null })
      while ((await find()).state !== 'finished') {
        if (performance.now() - startedAt > withinMs) throw new Error('The notice was not sent in time.')
        await sleep(LOOK_EVERY_MS)
      }
      return reach.email / ((performance.now() - startedAt) / 1_000)
    },
  }

  async function post(to: string, body: object): Promise<MemberEmailDetail> {
    const response = await postJson(site.url, to, body, { headers, withinMs: 120_000 })
    if (response.status >= 300) throw new Error(`${to} answered ${response.status}: ${response.text}`)
    return response.body as MemberEmailDetail
  }

  async function find(): Promise<MemberEmailDetail> {
    const { text } = await request(site.url, { path, headers })
    return JSON.parse(text) as MemberEmailDetail
  }
}
