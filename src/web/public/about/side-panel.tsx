import type { TextPage } from '#contract/public/association.ts'
import { Link } from '#web/ui/link.tsx'
import { ActionButton } from './action-button.tsx'

/** Facts, the page's one action and links to related pages; it stays in view beside the text. */
export function FactsPanel({ page: { facts, more, action } }: { page: TextPage }) {
  if (facts.length === 0 && more.length === 0 && !action) return null
  return (
    <aside className="detail-panel panel" aria-label="At a glance">
      <dl className="details">
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {action && (
        <div className="buttons">
          <ActionButton action={action} />
        </div>
      )}
      {more.length > 0 && <MoreLinks more={more} />}
    </aside>
  )
}

export function MoreLinks({ more }: Pick<TextPage, 'more'>) {
  return (
    <ul className="more-links">
      {more.map(({ label, path }) => (
        <li key={path}>
          <Link to={path}>{label}</Link>
        </li>
      ))}
    </ul>
  )
}

/** The headings of a long page. */
export function ContentsPanel({ contents }: Pick<TextPage, 'contents'>) {
  return (
    <nav className="detail-panel panel" aria-labelledby="on-this-page">
      <h2 id="on-this-page">On this page</h2>
      <ul className="contents">
        {contents.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
