import { listContentKinds } from '#contract/console/content.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { consoleContentUrl } from './content-url.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Link } from '#web/ui/link.tsx'

/** All content types, by section. */
export default function ContentPage() {
  const content = useLoaded(listContentKinds)
  return (
    <ConsolePage title="Pages & content" lead="Nothing is public until you publish it, and every version is kept.">
      <WhenLoaded loaded={content} what="content">
        {({ kinds }) =>
          [...new Set(kinds.map(({ section }) => section))].map((section) => (
            <section key={section}>
              <h2 className="content-section">{section}</h2>
              <ul className="content-kinds">
                {kinds
                  .filter((kind) => kind.section === section)
                  .map((kind) => (
                    <li key={kind.kind} className="card">
                      <h3>
                        <Link to={consoleContentUrl(kind.kind, kind.isSingle ? 'all' : undefined)}>{kind.label}</Link>
                      </h3>
                      <p className="soft small">{kind.lead}</p>
                      {kind.drafts > 0 && (
                        <Badge tone="warn">{kind.drafts === 1 ? '1 draft' : `${kind.drafts} drafts`}</Badge>
                      )}
                    </li>
                  ))}
              </ul>
            </section>
          ))
        }
      </WhenLoaded>
    </ConsolePage>
  )
}
