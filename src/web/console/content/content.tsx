import { listContentKinds } from '#contract/console-content.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { consoleContentPath } from '#web/features/content/content-path.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Link } from '#web/ui/link.tsx'

/** What the site says, kind by kind. */
export default function ContentPage() {
  const content = useLoaded('kinds', async () => (await callAsOfficer(listContentKinds)).kinds)
  return (
    <ConsolePage
      title="Content"
      lead="What the site says. Nothing is public before you publish it, and every version is kept."
    >
      <WhenLoaded loaded={content} what="what there is to write">
        {(kinds) =>
          [...new Set(kinds.map(({ section }) => section))].map((section) => (
            <section key={section}>
              <h2 className="content-section">{section}</h2>
              <ul className="content-kinds">
                {kinds
                  .filter((kind) => kind.section === section)
                  .map((kind) => (
                    <li key={kind.kind} className="sheet">
                      <h3>
                        <Link to={consoleContentPath(kind.kind, kind.isSingle ? 'all' : undefined)}>{kind.label}</Link>
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
