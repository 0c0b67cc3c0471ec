import { useState } from 'react'
import { getNewsletter, testNewsletter, type NewsletterDetail } from '#contract/console/newsletter.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useLoaded, type Loaded } from '../shell/use-loaded.ts'
import { Panel } from '../ui/panel.tsx'
import { showFailure, showToast } from '../ui/toasts.tsx'
import { NewsletterAudience } from './newsletter-audience.tsx'
import { checkCampaign } from '../campaigns/campaign-checks.rules.ts'
import { CampaignEditor } from '../campaigns/campaign-editor.tsx'
import { CampaignPreview } from '../campaigns/campaign-preview.tsx'
import { CampaignSending } from '../campaigns/campaign-sending.tsx'
import { CAMPAIGN_STATE_BADGES } from '../campaigns/campaign-states.ts'
import { useCampaignDraft } from '../campaigns/use-campaign-draft.ts'

const POLL_MS = 3_000

/** One newsletter: editor and preview side by side, audience, checks, sending and results. */
export default function NewsletterPage({ id }: { id: string }) {
  const found = useLoaded(getNewsletter, { params: { id } }, ({ state }) => state === 'sending' && POLL_MS)
  const { value } = found
  const [tone, label] = CAMPAIGN_STATE_BADGES[value?.state ?? 'draft']
  return (
    <ConsolePage
      title={value?.name ?? 'Newsletter'}
      lead={
        <>
          <Link to="/console/newsletter">Newsletters</Link> {value && <Badge tone={tone}>{label}</Badge>}
        </>
      }
      action={value && <TestButton id={id} />}
    >
      <WhenLoaded loaded={found} what="the newsletter">
        {(newsletter) => <Parts newsletter={newsletter} found={found} />}
      </WhenLoaded>
    </ConsolePage>
  )
}

function TestButton({ id }: { id: string }) {
  const [isBusy, setBusy] = useState(false)
  async function test() {
    setBusy(true)
    try {
      const { email } = await callAsOfficer(testNewsletter, { params: { id }, body: {} })
      showToast(`Test email sent to ${email}.`)
    } catch (failure) {
      showFailure(officerErrorMessage(failure), { retry: () => void test() })
    }
    setBusy(false)
  }
  return (
    <Button variant="line" busy={isBusy} busyLabel="Sending test" onClick={() => void test()}>
      Send test
    </Button>
  )
}

function Parts({ newsletter, found }: { newsletter: NewsletterDetail; found: Loaded<NewsletterDetail> }) {
  const { state, blocks, id, version, choices, audience } = newsletter
  const draft = useCampaignDraft(newsletter, found.setValue)
  const isDraft = state === 'draft'
  const checks = blocks ? checkCampaign(draft.content, newsletter) : []
  return (
    <div className="editor-with-preview">
      <div className="stack">
        {isDraft && blocks && <CampaignEditor choices={choices} draft={draft} reload={found.reload} />}
        {isDraft && !blocks && (
          <p className="card">
            This newsletter was not created in this editor. You can preview and send it, but not edit it.
          </p>
        )}
        {(isDraft || state === 'scheduled') && <NewsletterAudience audience={audience} />}
        {isDraft && checks.length > 0 && (
          <Panel title="Checks">
            <ul className="checks">
              {checks.map(({ level, text }) => (
                <li key={text}>
                  <Badge tone={level === 'stop' ? 'bad' : level}>
                    {level === 'ok' ? 'OK' : level === 'warn' ? 'Check' : 'Missing'}
                  </Badge>
                  {text}
                </li>
              ))}
            </ul>
          </Panel>
        )}
        <CampaignSending
          newsletter={newsletter}
          isUnsaved={draft.isChanged}
          isIncomplete={checks.some(({ level }) => level === 'stop')}
          onChanged={found.setValue}
        />
      </div>
      <CampaignPreview id={id} version={version} />
    </div>
  )
}
