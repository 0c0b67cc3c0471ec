import type { NewsletterBlock, CampaignDetail } from '#contract/console/newsletter.ts'
import { Button } from '#web/ui/button.tsx'
import { previewUrl } from '../content/preview-url.ts'
import { MarkdownField } from '../markdown/markdown-field.tsx'
import { PictureChooser } from '../pictures/picture-chooser.tsx'
import { Field, FieldBox } from '#web/ui/field.tsx'
import { Picture } from '#web/ui/picture.tsx'

const TITLES = { text: 'Text', picture: 'Image', event: 'Event', news: 'News item', button: 'Button' } as const

type Choices = CampaignDetail['choices']

/** An empty block. */
export function createBlock(kind: NewsletterBlock['kind'], { events, news }: Choices): NewsletterBlock {
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

/** The fields of one newsletter block, with buttons to move and remove it. */
export function CampaignBlockFields({
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
  /** Keyed by `blocks.INDEX.FIELD`. */
  errors: Record<string, string>
  onChange(block: NewsletterBlock): void
  onMove(to: number): void
  onRemove(): void
}) {
  const title = `${TITLES[block.kind]} ${index + 1}`
  return (
    <>
      <div className="card-head">
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
        path={`blocks.${index}`}
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
  path,
  choices,
  errors,
  onChange,
}: {
  title: string
  block: NewsletterBlock
  path: string
  choices: Choices
  errors: Record<string, string>
  onChange(block: NewsletterBlock): void
}) {
  const fieldProps = (field: string) => ({
    name: `${path}.${field}`,
    autoComplete: 'off',
    ...(errors[`${path}.${field}`] !== undefined && { error: errors[`${path}.${field}`] ?? '' }),
  })
  switch (block.kind) {
    case 'text':
      return (
        <MarkdownField
          label="Text"
          rows={8}
          value={block.markdown}
          forEmails
          onChange={(event) => onChange({ ...block, markdown: event.target.value })}
          {...fieldProps('markdown')}
        />
      )
    case 'picture':
      return (
        <>
          {block.src !== '' && (
            <figure className="block-picture">
              <Picture src={previewUrl(block.src)} alt={block.alt} width={400} height={300} />
            </figure>
          )}
          <PictureChooser
            label={title}
            buttonLabel={block.src === '' ? 'Choose image' : 'Choose another image'}
            forEmails
            onChosen={({ address, alt }) => onChange({ ...block, src: address, alt: alt || block.alt })}
          />
          {errors[`${path}.src`] !== undefined && (
            <p className="error-text" role="alert">
              {block.src === '' ? 'Choose an image.' : errors[`${path}.src`]}
            </p>
          )}
          <Field
            label="Alt text"
            hint="Describes the image to people who can’t see it."
            value={block.alt}
            onChange={(event) => onChange({ ...block, alt: event.target.value })}
            {...fieldProps('alt')}
          />
        </>
      )
    case 'button':
      return (
        <div className="pair">
          <Field
            label="Button text"
            value={block.label}
            onChange={(event) => onChange({ ...block, label: event.target.value })}
            {...fieldProps('label')}
          />
          <Field
            label="Button link"
            hint="https://… or a path such as /events"
            value={block.url}
            onChange={(event) => onChange({ ...block, url: event.target.value })}
            {...fieldProps('url')}
          />
        </div>
      )
    case 'event':
    case 'news': {
      const list = block.kind === 'event' ? choices.events : choices.news
      const { name, error } = { error: undefined, ...fieldProps('id') }
      return (
        <FieldBox id={name} label={TITLES[block.kind]} error={error ?? ''}>
          <select
            className="input"
            id={name}
            value={block.id}
            onChange={(event) => onChange({ ...block, id: event.target.value })}
          >
            {!list.some(({ id }) => id === block.id) && <option value={block.id}>Choose one</option>}
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
