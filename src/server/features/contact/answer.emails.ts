import type { Association } from '#contract/association.ts'
import { formatMoment } from '#contract/dates.ts'
import { html } from '#server/mail/html.ts'
import { printLetter, type Block, type Letter } from '#server/mail/letter.ts'
import type { InboxMessage, MessageAnswer } from './inbox.repository.ts'

/** To whoever wrote: the officer's words, then what they had written. */
export function answerLetter(
  {
    message,
    answer,
    timeZone,
  }: {
    message: Pick<InboxMessage, 'subject' | 'message' | 'receivedAt'>
    answer: Pick<MessageAnswer, 'text' | 'by'>
    timeZone: string
  },
  association: Association,
): Letter {
  const [firstLine = ''] = answer.text.split('\n')
  return printLetter(
    {
      subject: `Re: ${message.subject.replace(/^(re:\s*)+/i, '')}`,
      preview: firstLine,
      heading: 'Our answer',
      blocks: [
        ...paragraphsOf(answer.text),
        { kind: 'text', text: `${answer.by ?? 'An officer'}, ${association.name}` },
        { kind: 'note', text: `On ${formatMoment(message.receivedAt, timeZone)} you wrote:` },
        quote(message.message),
      ],
    },
    association,
  )
}

function paragraphsOf(text: string): Block[] {
  return text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => {
      const lines = paragraph.split('\n')
      const markup = lines.map((line, index) => (index === 0 ? html`${line}` : html`<br />${line}`))
      return { kind: 'words', html: html`<p style="margin:8px 0 0">${markup}</p>`, text: paragraph }
    })
}

function quote(text: string): Block {
  const lines = text.split('\n')
  const markup = lines.map((line, index) => (index === 0 ? html`${line}` : html`<br />${line}`))
  return {
    kind: 'words',
    html: html`<blockquote style="margin:8px 0 0;padding:2px 0 2px 18px;border-left:4px solid #e1831b">
      ${markup}
    </blockquote>`,
    text: lines.map((line) => `> ${line}`.trimEnd()).join('\n'),
  }
}
