import { useState } from 'react'
import { checkContentImport, type ContentImportReport } from '#contract/console/website/content-import.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { useAction } from '#web/console/shell/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { readExport } from './read-export.ts'

const SOURCES = [
  ['WordPress', 'Tools, Export, All content. It saves an XML file.'],
  ['Ghost', 'Settings, Advanced, Import/Export, Export. It saves a JSON file.'],
  [
    'A calendar',
    'The export of Google Calendar, Outlook or a WordPress calendar: an ICS file. Events that repeat are left out.',
  ],
] as const

/** Reads an export and sends what it has for review; imports nothing. */
export function ExportFileForm({ onChecked }: { onChecked(report: ContentImportReport): void }) {
  const action = useAction()
  const [file, setFile] = useState<File | null>(null)
  const [site, setSite] = useState('')
  const [problem, setProblem] = useState('')
  const isGhost = file !== null && /\.json$/i.test(file.name)

  async function send() {
    if (!file) return setProblem('Choose a file.')
    setProblem('')
    await action.run('check', async () => {
      let found: Blob
      try {
        found = await readExport(file, site)
      } catch (error) {
        setProblem((error as Error).message)
        return
      }
      try {
        onChecked(await callAsOfficer(checkContentImport, { query: { filename: file.name.slice(-200) }, file: found }))
      } catch (failure) {
        if (failure instanceof CallFailure) setProblem(failure.fieldErrors?.['file'] ?? '')
        throw failure
      }
    })
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <p>
        Bring posts, pages and events of your former website. You’ll see what becomes of each before anything is
        imported. Authors’ and commenters’ addresses in the file stay on your computer.
      </p>
      {problem === '' && <ActionMessages action={action} />}
      <Field
        label="Export (XML, JSON or ICS)"
        name="file"
        type="file"
        accept=".xml,.json,.ics,text/xml,application/json,text/calendar"
        hint="Up to 100 MB and 2,000 posts, pages or events. Unpack a ZIP file first."
        onChange={({ target }) => {
          setFile(target.files?.[0] ?? null)
          setProblem('')
        }}
        {...(problem && { error: problem })}
      />
      {isGhost && (
        <Field
          label="Old website address"
          name="site"
          type="url"
          autoComplete="off"
          hint="Such as https://www.example.org. A Ghost export does not name it."
          value={site}
          onChange={({ target }) => setSite(target.value)}
        />
      )}
      <Button type="submit" busy={action.busy !== null} busyLabel="Reading">
        Review
      </Button>
      <details className="more-filters">
        <summary>Where to find the export</summary>
        <dl className="import-columns">
          {SOURCES.map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <span className="soft">{text}</span>
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </form>
  )
}
