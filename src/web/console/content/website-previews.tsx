import { valueAt, type ContentRecord, type ContentValue } from '#contract/console/content.ts'
import { USUAL_MENU } from '#contract/menu.ts'
import { mainNavigation } from '#web/app/site-map.ts'
import { imageUrl } from '#web/ui/image-url.ts'
import { textOf } from './field-values.rules.ts'
import { previewUrl } from './preview-url.ts'

interface WebsitePreviewProps {
  record: ContentRecord
  value: ContentValue
}

/** The top of the home page, with its slides below each other. */
export function HomePreview({ record, value }: WebsitePreviewProps) {
  const text = (name: string) => textOf(valueAt(value, name))
  const slides = listOf(value['slides'])
  const events = optionsOf(record, 'slides', 'event')
  return (
    <div className="hero-preview">
      <p className="eyebrow">{text('eyebrow')}</p>
      <p className="big">{text('headline')}</p>
      <p className="lead">{text('lead')}</p>
      <p className="buttons">
        {['join', 'learnMore'].map((name) => (
          <span key={name} className={name === 'join' ? 'button' : 'button line'}>
            {text(`${name}.label`)}
          </span>
        ))}
      </p>
      <ol className="slide-previews">
        {slides.map((slide, index) => {
          const picture = textOf(slide['picture'])
          const event = events.get(textOf(slide['event']))
          return (
            // oxlint-disable-next-line react/no-array-index-key -- a preview without state
            <li key={index}>
              {picture && <img src={previewUrl(imageUrl(picture))} alt="" />}
              <strong>{event ?? (textOf(slide['title']) || 'Untitled slide')}</strong>
              {!event && textOf(slide['text']) && <span>{textOf(slide['text'])}</span>}
              {!event && textOf(slide['label']) && <span className="button line small">{textOf(slide['label'])}</span>}
            </li>
          )
        })}
        {value['hasOnlyTheseSlides'] !== true && slides.length < 4 && <li className="soft">Then the next events</li>}
      </ol>
    </div>
  )
}

/** The main navigation as it is being edited, and the added pages in their order. */
export function MenuPreview({ record, value }: WebsitePreviewProps) {
  const titles = optionsOf(record, 'pages', 'page')
  const items = listOf(value['pages']).filter(({ isHidden }) => isHidden !== true)
  const menu = items.flatMap(({ page, label }) => {
    const usual = USUAL_MENU.find(({ path }) => path === page)
    return usual ? [{ ...usual, label: textOf(label) || usual.label }] : []
  })
  const added = items.filter(({ page }) => !textOf(page).startsWith('/'))
  return (
    <div className="menu-preview">
      <ul>
        {mainNavigation(menu).map((entry) => (
          <li key={entry.kind === 'link' ? entry.page.path : entry.name}>
            {entry.kind === 'link' ? entry.page.label : entry.name}
            {entry.kind === 'dropdown' && (
              <ul>
                {entry.pages.map(({ path, label }) => (
                  <li key={path}>{label}</li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      {added.length > 0 && (
        <>
          <p>
            <strong>Added pages, in this order</strong>
          </p>
          <ol>
            {added.map(({ page, label }, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- a preview without state
              <li key={index}>{textOf(label) || (titles.get(textOf(page)) ?? 'Choose a page')}</li>
            ))}
          </ol>
        </>
      )}
    </div>
  )
}

function listOf(value: unknown): ContentValue[] {
  return Array.isArray(value) ? (value as ContentValue[]) : []
}

/** The labels of the options of a field in a list, by value. */
function optionsOf({ fields }: ContentRecord, list: string, name: string): Map<string, string> {
  const field = fields.find((one) => one.name === list)?.fields.find((one) => one.name === name)
  return new Map((field?.options ?? []).map(({ value, label }) => [String(value), label]))
}
