import { beforeEach, expect } from 'vitest'
import type { MemberAudience, MemberEmailDetail } from '#contract/console/emails/member-emails.ts'
import { joinForDirectory, type DirectoryMember } from '../content/directory.ts'
import { officerWith, recordSecondFactor } from '../officers.ts'
import { lineField, publishFields } from '../record-fields.ts'
import type { TestApp } from '../test-app.ts'
import type { TestBrowser } from '../browser/test-browser.ts'

export const PATH = '/api/console/member-emails'
export const HOME = {
  lines: ['12 Azalea Way'],
  city: 'Macon',
  region: 'GA',
  postalCode: '31201',
  country: 'United States',
}

/** What tests of emails to members do: a secretary and an editor with fresh codes before each test, members, and emails of theirs. */
export function useMemberEmails(app: () => TestApp) {
  let secretary: TestBrowser
  let editor: TestBrowser
  let turn = 0

  beforeEach(async () => {
    await app().standins.control({ mail: 'ok' })
    await publishFields(app(), [lineField('home', { kind: 'address', widest: 'officers' })])
    secretary = await officerWith(app(), ['secretary'])
    editor = await officerWith(app(), ['editor'])
    for (const officer of [secretary, editor]) await recordSecondFactor(app(), officer)
  })

  const join = (count: number) => Promise.all(Array.from({ length: count }, () => joinForDirectory(app())))
  const idsOf = (members: readonly DirectoryMember[]): MemberAudience => ({ ids: members.map(({ id }) => id) })

  async function compose(
    topic: string,
    audience: MemberAudience,
    {
      by = secretary,
      ...more
    }: { by?: TestBrowser; meetingOn?: string; meetingKind?: string; windowReason?: string } = {},
  ): Promise<MemberEmailDetail> {
    const name = `Annual meeting ${++turn}`
    const created = await by.post(PATH, { name, topic, audience })
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    const saved = await by.call('PUT', `${PATH}/${created.body.id}`, {
      name,
      subject: name,
      snippet: 'Please come.',
      blocks: [{ kind: 'text', markdown: `The **meeting** is at noon.\n\nBring a friend.` }],
      version: created.body.version,
      topic,
      audience,
      meetingOn: null,
      meetingKind: 'annual',
      windowReason: null,
      ...more,
    })
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    return saved.body as MemberEmailDetail
  }

  const send = (email: MemberEmailDetail, by = secretary) =>
    by.post(`${PATH}/${email.id}/send`, { version: email.version, at: null })

  async function sendWhole(email: MemberEmailDetail): Promise<MemberEmailDetail> {
    const sent = await send(email)
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    await app().drain()
    return read(email)
  }

  const read = async ({ id }: Pick<MemberEmailDetail, 'id'>, by = secretary) =>
    (await by.get(`${PATH}/${id}`)).body as MemberEmailDetail
  const copies = (member: DirectoryMember, { subject }: MemberEmailDetail) =>
    app()
      .standins.mails(member.email)
      .filter((mail) => mail.subject === subject)
  const setTopic = (member: DirectoryMember, topic: string, isWanted: boolean) =>
    member.browser.call('PUT', '/api/account/emails/topics', { topic, isWanted })
  const bounce = (email: MemberEmailDetail, member: DirectoryMember, kind: 'hard' | 'complaint' = 'hard') =>
    app().app.services.bounces.recordAll([
      { deliveryId: `${email.id}.${member.id}`, email: member.email, kind, reason: '550 no such user' },
    ])
  const file = async (path: string) => {
    const response = await fetch(app().url + path, { headers: { authorization: `Bearer ${secretary.token}` } })
    const bytes = new Uint8Array(await response.arrayBuffer())
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      bytes,
      text: Buffer.from(bytes).toString(),
    }
  }

  return {
    secretary: () => secretary,
    editor: () => editor,
    join,
    idsOf,
    compose,
    send,
    sendWhole,
    read,
    copies,
    setTopic,
    bounce,
    file,
  }
}
