import type { NewsletterBlock, NewsletterDetail } from '#contract/console-newsletter.ts'
import { Button } from '#web/ui/button.tsx'
import { freshAddress } from '#web/features/content/fresh-address.ts'
import { pasteWords } from '#web/features/content/paste-words.ts'
import { PictureChooser } from '#web/features/content/picture-chooser.tsx'
import { Field, FieldBox, TextArea } from '#web/ui/field.tsx'
import { Picture } from '#web/ui/picture.tsx'

const TITLES = { text: 'Text', picture: 'Picture', event: 'Event', news: 'News item', button: 'Button' } as const

type Choices = NewsletterDetail['choices']

/** A block as it begins. */
export function newBlock(kind: NewsletterBlock['kind'], { events, news }: Choices): NewsletterBlock {
  switch (kind) {
    case 'text':
      return { kind, markdown: '' }
    case 'picture':
      return { kind, src: '', alt: '' }
    case 'event':
      return { kind, id: events[0]?.id ?? '' }
    case 'news':
      return { kind, id: news[0]?.id ?? '' }
    case 'button':
      return { kind, label: '', url: '' }
  }
}

/** One block of a newsletter, with its place among the others. */
export function NewsletterBlockFields({
  block,
  index,
  count,
  choices,
  errors,
  onChange,
  onMove,
  onRemove,
}: {
  block: NewsletterBlock
  index: number
  count: number
  choices: Choices
  /** By `blocks.INDEX.FIELD`. */
  errors: Record<string, string>
  onChange(block: NewsletterBlock): void
  onMove(to: number): void
  onRemove(): void
}) {
  const title = `${TITLES[block.kind]} ${index + 1}`
  return (
    <>
      <div className="sheet-head">
        <h2>{title}</h2>
        <div className="buttons">
          <Button
            variant="line"
            size="small"
            aria-label={`Move ${title} up`}
            disabled={index === 0}
            onClick={() => onMove(index - 1)}
          >
            Up
          </Button>
          <Button
            variant="line"
            size="small"
            aria-label={`Move ${title} down`}
            disabled={index === count - 1}
            onClick={() => onMove(index + 1)}
          >
            Down
          </Button>
          <Button variant="line" size="small" aria-label={`Remove ${title}`} onClick={onRemove}>
            Remove
          </Button>
        </div>
      </div>
      <Fields
        title={title}
        block={block}
        place={`blocks.${index}`}
        choices={choices}
        errors={errors}
        onChange={onChange}
      />
    </>
  )
}

function Fields({
  title,
  block,
  place,
  choices,
  errors,
  onChange,
}: {
  title: string
  block: NewsletterBlock
  place: string
  choices: Choices
  errors: Record<string, string>
  onChange(block: NewsletterBlock): void
}) {
  const told = (field: string) => ({
    name: `${place}.${field}`,
    autoComplete: 'off',
    ...(errors[`${place}.${field}`] !== undefined && { error: errors[`${place}.${field}`] ?? '' }),
  })
  switch (block.kind) {
    case 'text':
      return (
        <TextArea
          label="Words"
          rows={8}
          value={block.markdown}
          onPaste={pasteWords}
          hint="**bold**, *slanted*, [a link](https://example.org), and lines that begin with ## or - for headings and lists."
          onChange={(event) => onChange({ ...block, markdown: event.target.value })}
          {...told('markdown')}
        />
      )
    case 'picture':
      return (
        <>
          {block.src !== '' && (
            <figure className="block-picture">
              <Picture src={freshAddress(block.src)} alt={block.alt} width={400} height={300} />
            </figure>
          )}
          <PictureChooser
            label={title}
            words={block.src === '' ? 'Choose or add a picture' : 'Choose another picture'}
            forLetters
            onChosen={({ address, alt }) => onChange({ ...block, src: address, alt: alt || block.alt })}
          />
          {errors[`${place}.src`] !== undefined && (
            <p className="error-text" role="alert">
              {block.src === '' ? 'Please choose a picture' : errors[`${place}.src`]}
            </p>
          )}
          <Field
            label="What it shows"
            hint="For whoever cannot see it."
            value={block.alt}
            onChange={(event) => onChange({ ...block, alt: event.target.value })}
            {...told('alt')}
          />
        </>
      )
    case 'button':
      return (
        <div className="pair">
          <Field
            label="What it says"
            value={block.label}
            onChange={(event) => onChange({ ...block, label: event.target.value })}
            {...told('label')}
          />
          <Field
            label="Where it leads"
            hint="https://… or a path such as /events"
            value={block.url}
            onChange={(event) => onChange({ ...block, url: event.target.value })}
            {...told('url')}
          />
        </div>
      )
    case 'event':
    case 'news': {
      const list = block.kind === 'event' ? choices.events : choices.news
      const { name, error } = { error: undefined, ...told('id') }
      return (
        <FieldBox id={name} label={TITLES[block.kind]} error={error ?? ''}>
          <select
            className="input"
            id={name}
            value={block.id}
            onChange={(event) => onChange({ ...block, id: event.target.value })}
          >
            {!list.some(({ id }) => id === block.id) && <option value={block.id}>Please choose one</option>}
            {list.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </FieldBox>
      )
    }
  }
}
