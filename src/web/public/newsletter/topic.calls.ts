import { EMAIL_TOPIC_NAMES, unsubscribeFromTopic } from '#contract/public/my-account/email-topics.ts'
import { call } from '#web/api/call.ts'

/** Loaded on demand because it imports the contract. Returns the topic’s name. @throws {CallFailure} */
export async function unsubscribeFromTopicWithToken(token: string): Promise<string> {
  const { topic } = await call(unsubscribeFromTopic, { body: { token } })
  return EMAIL_TOPIC_NAMES[topic].name
}
