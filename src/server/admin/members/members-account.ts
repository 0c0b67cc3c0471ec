import * as z from 'zod/mini'
import { addMember as addMemberEndpoint, ENDINGS } from '#contract/console-member-account.ts'
import { emailField } from '#contract/fields.ts'
import { findMember, type Member } from '../features/membership/member.repository.ts'
import { Problem } from '../platform/problem.ts'
import type { Tools } from './tools.ts'
import { withApp } from './with-app.ts'

const EMAIL_USAGE = 'Say "members email NAME NEW_ADDRESS "REASON"".'
const END_USAGE = 'Say "members end NAME request|deceased "REASON" [--dry-run]".'
const ADD_USAGE =
  'Say "members add EMAIL "FIRST NAME" "LAST NAME" LEVEL FIRST_DAY [LAST_DAY]" and --free "REASON", or --check NUMBER AMOUNT DAY, or --cash MARK AMOUNT DAY; with --invite the person gets an email to choose a password, and --another says that it is not the person of the same name who is there. Days are like 2026-03-02; a lifetime level has no last day.'

/** `members email NAME NEW_ADDRESS "REASON"`: as from the console, but the webmaster needs no second officer. */
export async function changeMemberEmail([name, address, reason]: readonly string[], tools: Tools): Promise<number> {
  const { say } = tools
  if (!name || !address || !reason?.trim()) return usage(EMAIL_USAGE, tools)
  const email = z.safeParse(emailField, address)
  if (!email.success) return refuse(email.error.issues[0]?.message ?? '', tools)
  const member = await requireMember(name, tools)
  if (!member) return 1
  return tryIt(tools, async () => {
    const wanted = { email: email.data, reason: reason.trim() }
    await withApp(tools, (app) => app.features.members.memberAccounts.changeEmailAsWebmaster(member.account.id, wanted))
    say(`An email to ${wanted.email} asks for confirmation, within 3 days; until then nothing changes.`)
    say(`${member.account.email} is told, and can stop it. "members withdraw-email" takes it back.`)
  })
}

/** `members withdraw-email NAME`: a change of address that was not confirmed. */
export async function withdrawMemberEmail([name]: readonly string[], tools: Tools): Promise<number> {
  const member = await requireMember(name, tools)
  if (!member) return 1
  const { id, email } = member.account
  const isDone = await withApp(tools, (app) => app.features.members.memberAccounts.withdrawEmailAsWebmaster(id))
  if (!isDone) return refuse('No change of address waits for confirmation.', tools)
  tools.say(`Taken back. The address stays ${email}.`)
  return 0
}

/** `members end NAME request|deceased "REASON" [--dry-run]`: says first what happens, in the words of the console. */
export async function endMember(words: readonly string[], tools: Tools): Promise<number> {
  const { say } = tools
  const isDryRun = words.includes('--dry-run')
  const [name, as, reason] = words.filter((word) => word !== '--dry-run')
  const ending = ENDINGS.find((one) => one === as)
  if (!name || !ending || !reason?.trim()) return usage(END_USAGE, tools)
  const member = await requireMember(name, tools)
  if (!member) return 1
  const { id } = member.account
  return tryIt(tools, () =>
    withApp(tools, async ({ features: { members } }) => {
      const { sentences, version } = await members.memberAccounts.planEndAsWebmaster(id, ending)
      for (const sentence of sentences) say(sentence)
      if (isDryRun) {
        say('Nothing was changed.')
        return
      }
      await members.memberAccounts.endAsWebmaster(id, { ending, reason: reason.trim(), version })
      say('The account was ended.')
    }),
  )
}

/** `members add …`: one member by hand, with the same checks as an import. */
export async function addMember(words: readonly string[], tools: Tools): Promise<number> {
  const wanted = readWords(words)
  if (!wanted) return usage(ADD_USAGE, tools)
  const body = z.safeParse(addMemberEndpoint.body ?? z.never(), wanted)
  if (!body.success) return refuse(body.error.issues.map(({ message }) => `${message}.`).join(' '), tools)
  return tryIt(tools, async () => {
    const by = { accountId: 'webmaster', mayRecordPayments: true }
    const { data } = body
    const id = await withApp(tools, (app) => app.features.members.adding.add(by, data))
    tools.say(`${data.firstName} ${data.lastName} <${data.email}> was added as ${id}.`)
    tools.say(data.invites ? 'An email with a link to choose a password goes out.' : 'Nobody was written to about it.')
  })
}

/** As the console sends it; null when it is not understood. */
function readWords(words: readonly string[]): Record<string, unknown> | null {
  const rest = [...words]
  const take = (flag: string, count: number): string[] | null => {
    const at = rest.indexOf(flag)
    return at === -1 ? null : rest.splice(at, count + 1).slice(1)
  }
  const invites = take('--invite', 0) !== null
  const isSomebodyElse = take('--another', 0) !== null
  const free = take('--free', 1)
  const check = take('--check', 3)
  const cash = take('--cash', 3)
  const [email, firstName, lastName, levelKey, startedOn, endsOn, ...more] = rest
  const ways = [free, check, cash].filter((way) => way !== null)
  if (!startedOn || more.length > 0 || ways.length !== 1) return null
  const [reference, amount, paidOn] = check ?? cash ?? []
  return {
    email,
    firstName,
    lastName,
    levelKey,
    startedOn,
    endsOn,
    invites,
    isSomebodyElse,
    ...(free ? { paidBy: 'free', reason: free[0] } : { paidBy: check ? 'cheque' : 'cash', reference, amount, paidOn }),
  }
}

async function tryIt(tools: Tools, work: () => Promise<unknown>): Promise<number> {
  try {
    await work()
    return 0
  } catch (error) {
    if (error instanceof Problem) return refuse(error.message, tools)
    throw error
  }
}

async function requireMember(name: string | undefined, tools: Tools): Promise<Member | null> {
  const member = name ? await findMember(tools.database.db, name) : null
  if (!member) tools.say(name ? `Nobody is known as ${name}.` : 'Say whose: an e-mail address, a username or an id.')
  return member
}

function usage(sentence: string, { say }: Tools): number {
  say(sentence)
  return 2
}

function refuse(sentence: string, { say }: Tools): number {
  say(sentence)
  return 1
}
