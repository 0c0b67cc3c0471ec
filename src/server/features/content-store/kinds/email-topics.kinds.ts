import * as z from 'zod/mini'
import { COMMON_TOPICS, type StoredEmailTopic } from '#contract/public/my-account/email-topics.ts'
import { NOTICE } from '#contract/console/emails/member-emails.ts'
import { Problem } from '#server/lib/problem.ts'
import { field } from '../content-kind.rules.ts'
import { defineList, retireRemoved, uniqueList } from '../list-kind.rules.ts'
import { optionalSwitch } from './fields.schema.ts'

const MOST_TOPICS = 20
const TAKEN = [NOTICE, ...COMMON_TOPICS.map(({ key }) => key)]

const emailTopic = z.object({
  key: z.string().check(
    z.regex(/^[a-z0-9-]{1,60}$/, 'use lowercase letters, digits and hyphens'),
    z.refine((key) => !TAKEN.includes(key), 'Every association has a topic of this name. Please choose another one'),
  ),
  name: z.string().check(z.maxLength(40, 'Please keep this under 40 characters')),
  about: z.string().check(z.maxLength(160, 'Please keep this under 160 characters')),
  isOffer: optionalSwitch,
  isRetired: optionalSwitch,
})
type TopicValue = z.infer<typeof emailTopic>

/** What emails to members are about, besides news, events and offers. Members switch each topic in their account. */
export const emailTopicKind = defineList({
  kind: 'email-topics',
  list: 'topics',
  items: uniqueList(emailTopic, 'key', 'Two topics have the same name').check(
    z.maxLength(MOST_TOPICS, `Please keep to ${MOST_TOPICS} topics`),
  ),
  file: { name: 'email-topics.yaml' },
  label: 'Email topics',
  lead: 'What emails to members are about, besides news, events and offers. Members switch each topic on or off in their account. A topic that you remove is retired: what members chose is kept.',
  section: 'People',
  listLabel: 'Topics',
  ids: { name: 'key', from: 'name' },
  fields: [
    field('line', 'name', 'Name', { hint: 'Such as “Volunteers”.' }),
    field('line', 'about', 'In one sentence', { hint: 'Members see it beside the switch.' }),
    field('switch', 'isOffer', 'Advertisement', {
      hint: 'Sent only to those who switch it on, and named as an advertisement, as the law asks. It stays as it is once the topic is published.',
    }),
    field('switch', 'isRetired', 'Retired', { hint: 'Nothing more is sent about it.' }),
  ],
  guards: [
    {
      field: 'topics',
      permission: 'members.email',
      message: 'Only an officer who may email members can change what they are emailed about',
      select: (value) => listOf(value).map(toTopic),
    },
  ],
  /**
   * Topics that were removed stay as retired ones, since choices and links refer to them.
   * @throws Problem INVALID_INPUT if a topic becomes an advertisement or ceases to be one: members agreed to something else
   */
  onPublish(value, before) {
    const [wanted, known] = [listOf(value), listOf(before)]
    for (const [index, { key, isOffer }] of wanted.entries()) {
      const former = known.find((one) => one.key === key)
      if (!former || (former.isOffer === true) === (isOffer === true)) continue
      const message = 'Members agreed to this topic as it is published. Retire it and add another one'
      throw new Problem('INVALID_INPUT', { fields: { [`topics.${index}.isOffer`]: message } })
    }
    return { ...value, topics: retireRemoved(wanted, known) }
  },
})

function listOf(value: { topics?: unknown } | null): TopicValue[] {
  return (value?.topics ?? []) as TopicValue[]
}

export function toTopic({ key, name, about, isOffer, isRetired }: TopicValue): StoredEmailTopic {
  return { key, name, about, isOffer: isOffer === true, isRetired: isRetired === true }
}
