import { enterDemo, listDemoEmails, readDemo } from '#contract/demo/demo.ts'
import { call } from '#web/api/call.ts'
import { callAsVisitorOrMember } from '#web/session/call-as-visitor-or-member.ts'
import { logIn } from '#web/session/session.ts'

export const read = () => call(readDemo)

/** @throws {CallFailure} */
export async function logInAs(email: string): Promise<void> {
  const { token, user } = await call(enterDemo, { body: { email } })
  logIn({ token, user })
}

export const emails = async () => (await callAsVisitorOrMember(listDemoEmails)).emails
