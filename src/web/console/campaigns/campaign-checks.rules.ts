import type { CampaignDetail } from '#contract/console/newsletter.ts'
import type { CampaignContent } from './use-campaign-draft.ts'

export interface CampaignCheck {
  /** `stop`: it cannot be sent like this. `warn`: worth a second look. */
  level: 'ok' | 'warn' | 'stop'
  text: string
}

const SUBJECT_SHOWN = 60
const PLACEHOLDER_TEXT = 'Dear friends,'

/**
 * What to look at before sending.
 * @param reaches whether anyone gets it, and what is said about it
 */
export function checkCampaign(
  { name, subject, snippet, blocks }: CampaignContent,
  { choices }: Pick<CampaignDetail, 'choices'>,
  reaches: CampaignCheck,
): CampaignCheck[] {
  const empty = blocks.filter((block) => {
    switch (block.kind) {
      case 'text':
        return block.markdown.trim() === ''
      case 'picture':
        return block.src === ''
      case 'button':
        return block.label.trim() === '' || block.url.trim() === ''
      default:
        return block.id === ''
    }
  })
  const events = blocks.flatMap((block) =>
    block.kind === 'event' ? [choices.events.find(({ id }) => id === block.id)] : [],
  )
  const pictures = blocks.filter((block) => block.kind === 'picture')
  const onlyGreets = blocks.every(
    (block) => block.kind === 'text' && ['', PLACEHOLDER_TEXT].includes(block.markdown.trim()),
  )
  return [
    subject.trim() === ''
      ? stop('The subject is missing')
      : subject.length > SUBJECT_SHOWN
        ? warn(`The subject has ${subject.length} characters; phones show about ${SUBJECT_SHOWN}`)
        : ok(subject === name ? 'The subject is the title' : 'Subject'),
    snippet.trim() === '' || snippet === name ? warn('The preview text only repeats the title') : ok('Preview text'),
    onlyGreets ? stop('It has no text yet') : ok('Text'),
    empty.length > 0
      ? stop(empty.length === 1 ? '1 block is empty' : `${empty.length} blocks are empty`)
      : ok('No empty blocks'),
    ...(events.some((event) => event === undefined || /\((past|canceled)\)$/.test(event.title))
      ? [warn('It shows an event that is past or canceled')]
      : []),
    ...(pictures.some(({ alt }) => alt.trim() === '') ? [stop('An image has no alt text')] : []),
    reaches,
  ]
}

export const ok = (text: string): CampaignCheck => ({ level: 'ok', text })
const warn = (text: string): CampaignCheck => ({ level: 'warn', text })
export const stop = (text: string): CampaignCheck => ({ level: 'stop', text })
