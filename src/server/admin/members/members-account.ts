import * as z from 'zod/mini'
import { addMember as addMemberEndpoint, ENDINGS } from '#contract/console/member-account.ts'
import { emailField } from '#contract/fields.ts'
import { findMember, type Member } from '#server/features/member-admin/member.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import type { Tools } from '../tools.ts'
import { withApp } from '../with-app.ts'

const EMAIL_USAGE = 'Usage: members email NAME NEW_ADDRESS "REASON"'
const END_USAGE = 'Usage: members end NAME request|deceased "REASON" [--dry-run]'
const ADD_USAGE =
  'Usage: members add EMAIL "FIRST NAME" "LAST NAME" LEVEL FIRST_DAY [LAST_DAY] --free "REASON"|--check NUMBER AMOUNT DAY|--cash MARK AMOUNT DAY [--invite] [--another]. --invite emails the person a link to choose a password. --another confirms that an existing member of the same name is someone else. Write days like 2026-03-02; a lifetime level has no last day.'

/** `members email NAME NEW_ADDRESS "REASON"`: like in the console, but the webmaster needs no second officer. */
export async function changeMemberEmail([name, address, reason]: readonly string[], tools: Tools): Promise<number> {
  const { say } = tools
  if (!name || !address || !reason?.trim()) return usage(EMAIL_USAGE, tools)
  const email = z.safeParse(emailField, address)
  if (!email.success) return refuse(email.error.issues[0]?.message ?? '', tools)
  const member = await requireMember(name, tools)
  if (!member) return 1
  return reportProblems(tools, async () => {
    const change = { email: email.data, reason: reason.trim() }
    await withApp(tools, (app) => app.services.memberAccounts.changeEmailAsWebmaster(member.account.id, change))
    say(`An email to ${change.email} asks for confirmation within 3 days. Until then, nothing changes.`)
    say(`${member.account.email} is notified, and can stop the change. "members withdraw-email" cancels it.`)
  })
}

/** `members withdraw-email NAME`: cancels an unconfirmed change of address. */
export async function withdrawMemberEmail([name]: readonly string[], tools: Tools): Promise<number> {
  const member = await requireMember(name, tools)
  if (!member) return 1
  const { id, email } = member.account
  const isCanceled = await withApp(tools, (app) => app.services.memberAccounts.withdrawEmailAsWebmaster(id))
  if (!isCanceled) return refuse('No change of address is waiting for confirmation.', tools)
  tools.say(`Canceled. The address is still ${email}.`)
  return 0
}

/** `members end NAME request|deceased "REASON" [--dry-run]`: first lists the consequences, like the console. */
export async function endMember(args: readonly string[], tools: Tools): Promise<number> {
  const { say } = tools
  const isDryRun = args.includes('--dry-run')
  const [name, as, reason] = args.filter((arg) => arg !== '--dry-run')
  const ending = ENDINGS.find((candidate) => candidate === as)
  if (!name || !ending || !reason?.trim()) return usage(END_USAGE, tools)
  const member = await requireMember(name, tools)
  if (!member) return 1
  const { id } = member.account
  return reportProblems(tools, () =>
    withApp(tools, async ({ services: { memberAccounts } }) => {
      const { sentences, version } = await memberAccounts.planEndAsWebmaster(id, ending)
      for (const sentence of sentences) say(sentence)
      if (isDryRun) {
        say('Nothing was changed.')
        return
      }
      await memberAccounts.endAsWebmaster(id, { ending, reason: reason.trim(), version })
      say('The account was ended.')
    }),
  )
}

/** `members add …`: adds one member, with the same checks as an import. */
export async function addMember(args: readonly string[], tools: Tools): Promise<number> {
  const fields = parseArguments(args)
  if (!fields) return usage(ADD_USAGE, tools)
  const body = z.safeParse(addMemberEndpoint.body ?? z.never(), fields)
  if (!body.success) return refuse(body.error.issues.map(({ message }) => `${message}.`).join(' '), tools)
  return reportProblems(tools, async () => {
    const by = { accountId: 'webmaster', mayRecordPayments: true }
    const { data } = body
    const id = await withApp(tools, (app) => app.services.memberAdding.add(by, data))
    tools.say(`${data.firstName} ${data.lastName} <${data.email}> was added as ${id}.`)
    tools.say(data.invites ? 'They will receive an email with a link to choose a password.' : 'No email was sent.')
  })
}

/** Builds the body that the console sends; null when the arguments are invalid. */
function parseArguments(args: readonly string[]): Record<string, unknown> | null {
  const rest = [...args]
  const takeFlag = (flag: string, count: number): string[] | null => {
    const at = rest.indexOf(flag)
    return at === -1 ? null : rest.splice(at, count + 1).slice(1)
  }
  const invites = takeFlag('--invite', 0) !== null
  const isSomebodyElse = takeFlag('--another', 0) !== null
  const free = takeFlag('--free', 1)
  const check = takeFlag('--check', 3)
  const cash = takeFlag('--cash', 3)
  const [email, firstName, lastName, levelKey, startedOn, endsOn, ...more] = rest
  const paymentOptions = [free, check, cash].filter((option) => option !== null)
  if (!startedOn || more.length > 0 || paymentOptions.length !== 1) return null
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

async function reportProblems(tools: Tools, work: () => Promise<unknown>): Promise<number> {
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
  if (!member)
    tools.say(name ? `There is no member ${name}.` : 'NAME is missing: an email address, a username or an id.')
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
