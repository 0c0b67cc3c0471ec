import { unsubscribeFromTopic } from '#contract/public/my-account/email-topics.ts'
import { call } from '#web/api/call.ts'

/** Loaded on demand because it imports the contract. Returns the topic’s name. @throws {CallFailure} */
export async function unsubscribeFromTopicWithToken(token: string): Promise<string> {
  return (await call(unsubscribeFromTopic, { body: { token } })).name
}
