import { useState } from 'react'
import { useNavigate } from 'react-router'
import {
  deleteDocument,
  downloadDocumentVersion,
  getDocument,
  renameDocument,
  replaceDocument,
  restoreDocument,
  type DocumentDetail,
} from '#contract/console/website/documents.ts'
import { isReplaceable } from '#contract/console/media.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { downloadFile } from '#web/shared/download-file.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'
import { PictureUses } from '../pictures/picture-uses.tsx'
import { ActionMessages } from '../shell/action-messages.tsx'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { saveAsOfficer } from '../shell/save-as-officer.ts'
import { showToast } from '../ui/toasts.tsx'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useAction } from '../shell/use-action.ts'
import { useLoaded, type Loaded } from '../shell/use-loaded.ts'
import { DropZone } from '../ui/drop-zone.tsx'
import { Panel, WithRail } from '../ui/panel.tsx'
import { formatBytes, requireDocument } from './upload-document.ts'

/** One document: its title, file, versions and uses. */
export default function DocumentPage({ id }: { id: string }) {
  const loaded = useLoaded(getDocument, { params: { id } })
  return (
    <ConsolePage title={loaded.value?.title ?? 'Document'} lead={<Link to="/console/documents">Documents</Link>}>
      <WhenLoaded loaded={loaded} what="the document">
        {(document) => <Parts document={document} loaded={loaded} />}
      </WhenLoaded>
    </ConsolePage>
  )
}

interface PartsProps {
  document: DocumentDetail
  loaded: Loaded<DocumentDetail>
}

function Parts({ document, loaded }: PartsProps) {
  const { id, version } = document
  const params = { id }
  const action = useAction()

  return (
    <>
      <ActionMessages action={action} />
      <WithRail rail={<Rail document={document} />}>
        <Panel title="Details">
          <TitleForm document={document} onSaved={loaded.setValue} />
        </Panel>
        <Panel title="Replace the file">
          <p>
            Links keep working: visitors get the new file at the same address. The current one stays in the history.
          </p>
          <DropZone
            accept="application/pdf,.pdf"
            what="the new PDF"
            hint="Up to 20 MB, without a password, scripts or attachments."
            isSingle
            onFiles={([file]) =>
              void action.run(
                'replace',
                async () => {
                  if (!file) return
                  requireDocument(file)
                  const query = { filename: file.name, version: String(version) }
                  loaded.setValue(await saveAsOfficer(replaceDocument, { params, query, file }))
                },
                'Replaced. Visitors get the new file.',
              )
            }
          />
          {action.busy === 'replace' && <progress className="upload-progress" aria-label="Uploading" />}
        </Panel>
        <Panel title="History" isFlush>
          <ul className="document-versions">
            {document.versions.map((one) => (
              <li key={one.number}>
                <div>
                  <strong>{`Version ${one.number}`}</strong> {one.isCurrent && <Badge tone="ok">Live</Badge>}
                  <p className="small soft">
                    {`${one.filename}, ${countPages(one.pages)}, ${formatBytes(one.bytes)} · ${formatMoment(one.at)} · ${one.by}`}
                  </p>
                </div>
                <div className="buttons">
                  <Button
                    variant="line"
                    size="small"
                    aria-label={`Download version ${one.number}`}
                    onClick={() =>
                      void action.run('download', async () =>
                        downloadFile(
                          await callAsOfficer(downloadDocumentVersion, {
                            params: { id, number: String(one.number) },
                          }),
                          one.filename,
                        ),
                      )
                    }
                  >
                    Download
                  </Button>
                  {!one.isCurrent && (
                    <Button
                      variant="line"
                      size="small"
                      aria-label={`Restore version ${one.number}`}
                      busy={action.busy === 'restore'}
                      onClick={() =>
                        void action.run('restore', async () => {
                          const body = { number: one.number, version }
                          loaded.setValue(await saveAsOfficer(restoreDocument, { params, body }))
                          showToast(`Version ${one.number} is live again`)
                        })
                      }
                    >
                      Restore
                    </Button>
                  )}
                </div>
              </li>
            ))}
          </ul>
        </Panel>
        <Deletion document={document} />
      </WithRail>
    </>
  )
}

const TITLE_FIELDS = { title: 'Title' }

function TitleForm({
  document: { id, title, version },
  onSaved,
}: {
  document: DocumentDetail
  onSaved(document: DocumentDetail): void
}) {
  const form = useDraftForm(`document:${id}`, {
    fields: TITLE_FIELDS,
    saved: { title },
    savesInTopBar: true,
    errorMessage: officerErrorMessage,
    async send(values) {
      onSaved(await saveAsOfficer(renameDocument, { params: { id }, body: { ...values, version } }))
      showToast('Saved.')
    },
  })
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <Field {...form.field('title')} hint="The address stays the same." />
    </form>
  )
}

function Rail({ document: { address, usedIn, updatedAt, updatedBy } }: { document: DocumentDetail }) {
  return (
    <>
      <Panel title="Address">
        <p>
          <a href={address} target="_blank" rel="noopener noreferrer">
            {address}
          </a>
        </p>
        <p className="small soft">{`Changed ${formatMoment(updatedAt)} by ${updatedBy}`}</p>
      </Panel>
      <Panel title="Used in">
        {usedIn.length === 0 ? (
          <p>Not used yet. Link it with the Document button of a text field.</p>
        ) : (
          <PictureUses uses={usedIn} />
        )}
      </Panel>
    </>
  )
}

function Deletion({ document: { id, title, version, usedIn } }: { document: DocumentDetail }) {
  const navigate = useNavigate()
  const action = useAction()
  const [isConfirming, setConfirming] = useState(false)
  async function remove() {
    setConfirming(false)
    await action.run('delete', async () => {
      await callAsOfficer(deleteDocument, { params: { id }, query: { version: String(version) } })
      showToast(`${title} was deleted`)
      void navigate('/console/documents')
    })
  }
  return (
    <Panel title="Delete" tone="danger">
      <ActionMessages action={action} />
      <Button
        variant="danger"
        size="small"
        disabled={usedIn.some(isReplaceable)}
        reason="This document is in use. Remove the links to it first."
        busy={action.busy === 'delete'}
        busyLabel="Deleting"
        onClick={() => setConfirming(true)}
      >
        Delete document
      </Button>
      <Dialog open={isConfirming} onClose={() => setConfirming(false)} title={`Delete ${title}?`} width="30rem">
        <p>All its versions are deleted. This cannot be undone.</p>
        <div className="buttons">
          <Button variant="danger" onClick={() => void remove()}>
            Delete permanently
          </Button>
          <Button variant="line" onClick={() => setConfirming(false)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </Panel>
  )
}

function countPages(pages: number): string {
  return pages === 1 ? '1 page' : `${pages} pages`
}
