import type { MemberAudience, MemberEmailDetail } from '#contract/console/emails/member-emails.ts'
import { until } from '#tests/trust/load.ts'
import type { ReceivedEmail } from '#tests/trust/mailbox.ts'
import { expectStatus, type Visitor } from '#tests/trust/people.ts'
import type { World } from '#tests/trust/site.ts'
import type { Member } from './two-instances.ts'

/** What officers do with emails to members, by the calls of the console. */

export const EMAILS = '/api/console/member-emails'
const SENT_WITHIN_MS = 30_000

let written = 0

export const idsOf = (members: readonly Member[]): MemberAudience => ({ ids: members.map(({ id }) => id) })

export async function compose(
  officer: Visitor,
  topic: string,
  audience: MemberAudience,
  meetingOn: string | null = null,
): Promise<MemberEmailDetail> {
  const name = `About ${topic} ${++written}`
  const created = expectStatus(await officer.post(EMAILS, { name, topic, audience }), 201, 'compose').body
  const blocks: MemberEmailDetail['blocks'] = [{ kind: 'text', markdown: 'The **meeting** is at noon.' }]
  return save(officer, { ...created, subject: name, snippet: 'Please read on.', blocks, meetingOn })
}

/** Saves a draft as it is given. */
export async function save(officer: Visitor, draft: MemberEmailDetail): Promise<MemberEmailDetail> {
  const { id, name, subject, snippet, blocks, version, topic, audience, meetingOn, meetingKind, windowReason } = draft
  const content = { name, subject, snippet, blocks, version }
  const body = { ...content, topic, audience, meetingOn, meetingKind, windowReason }
  return expectStatus(await officer.call('PUT', `${EMAILS}/${id}`, body), 200, 'save').body
}

/** @param at in the association's time zone; null sends now */
export const send = (officer: Visitor, { id, version }: MemberEmailDetail, at: string | null = null) =>
  officer.post(`${EMAILS}/${id}/send`, { version, at })

export async function read(officer: Visitor, { id }: Pick<MemberEmailDetail, 'id'>): Promise<MemberEmailDetail> {
  return expectStatus(await officer.get(`${EMAILS}/${id}`), 200, 'read').body
}

/** Waits until every copy was sent or given up. @throws when that takes too long */
export async function finished(officer: Visitor, email: Pick<MemberEmailDetail, 'id'>): Promise<MemberEmailDetail> {
  const done = await until(
    async () => {
      const detail = await read(officer, email)
      return detail.state === 'finished' ? detail : null
    },
    { withinMs: SENT_WITHIN_MS, everyMs: 200 },
  )
  if (!done) throw new Error(`The email ${email.id} was not sent within ${SENT_WITHIN_MS} ms`)
  return done
}

export async function sendWhole(officer: Visitor, email: MemberEmailDetail): Promise<MemberEmailDetail> {
  expectStatus(await send(officer, email), 200, 'send')
  return finished(officer, email)
}

export async function copiesTo(
  world: World,
  { email }: Pick<Member, 'email'>,
  { subject }: Pick<MemberEmailDetail, 'subject'>,
): Promise<ReceivedEmail[]> {
  return (await world.mailbox.emailsTo(email)).filter((mail) => mail.subject === subject)
}
