import { BRAND_KIND } from '#contract/brand/brand.ts'
import { getContent, listContentKinds, type ContentKindSummary, type ContentRecord } from '#contract/console/content.ts'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { ContentBanners } from '../content/content-banners.tsx'
import { consoleContentUrl } from '../content/content-url.ts'
import { ContentFields } from '../content/group-field.tsx'
import { useContentEditor } from '../content/use-content-editor.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { Panel } from '../ui/panel.tsx'

/** Everything that officers may set, in sections that are saved on their own. */
export default function AssociationPage() {
  const kinds = useLoaded(listContentKinds)
  return (
    <ConsolePage title="Association" lead="A saved change is on every page, email and receipt within seconds.">
      <WhenLoaded loaded={kinds} what="settings">
        {({ kinds: all }) => {
          const settings = all.filter(({ section, kind }) => section === 'Settings' && kind !== BRAND_KIND)
          return (
            <div className="settings">
              <nav aria-label="Sections">
                <ul>
                  {settings.map(({ kind, label }) => (
                    <li key={kind}>
                      <a href={`#${kind}`}>{label}</a>
                    </li>
                  ))}
                </ul>
              </nav>
              <div className="stack">
                {settings.map((kind) => (
                  <SettingsSection key={kind.kind} kind={kind} />
                ))}
              </div>
            </div>
          )
        }}
      </WhenLoaded>
    </ConsolePage>
  )
}

function SettingsSection({ kind }: { kind: ContentKindSummary }) {
  const loaded = useLoaded(getContent, { params: { kind: kind.kind, id: 'all' } })
  return (
    <div id={kind.kind}>
      <Panel title={kind.label} action={<Link to={consoleContentUrl(kind.kind, 'all')}>History</Link>}>
        <p className="soft">{kind.lead}</p>
        <WhenLoaded loaded={loaded} what={kind.label}>
          {(record) => <SettingsForm first={record} />}
        </WhenLoaded>
      </Panel>
    </div>
  )
}

function SettingsForm({ first }: { first: ContentRecord }) {
  const editor = useContentEditor(first, { savesItself: false, onCreated() {} })
  const { record, problems, action, isChanged } = editor
  const isRefused = Object.keys(problems).length > 0
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void editor.save('publish')
      }}
    >
      <ActionMessages action={{ ...action, failure: isRefused ? null : action.failure }} />
      <ContentBanners editor={editor} />
      <ContentFields editor={editor} />
      {record.state === 'changed' && !isChanged && (
        <Button type="submit" variant="line" size="small" busy={action.busy === 'publish'} busyLabel="Publishing">
          Publish changes
        </Button>
      )}
    </form>
  )
}
