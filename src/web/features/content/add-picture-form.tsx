import { useId, useState } from 'react'
import { addPicture, type DescribedPicture } from '#contract/console-media.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { useAction } from '#web/features/console/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { shrinkPicture } from './shrink-picture.ts'

type Problems = { file?: string; alt?: string }

/** A picture from this phone or computer; what it shows must be said. */
export function AddPictureForm({
  place,
  onAdded,
  onSending,
}: {
  place: { bucket: string; folder: string }
  onAdded(picture: DescribedPicture): void
  /** Told when it begins and when it has ended, well or not. */
  onSending?(isSending: boolean): void
}) {
  // The page behind the dialog may have a field of this name.
  const id = useId()
  const action = useAction()
  const [file, setFile] = useState<File | null>(null)
  const [alt, setAlt] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const [step, setStep] = useState('')

  async function send() {
    if (!file) return setProblems({ file: 'Please choose a picture' })
    if (alt.trim() === '') return setProblems({ alt: 'Please say what the picture shows' })
    setProblems({})
    await action.run('add', async () => {
      onSending?.(true)
      try {
        setStep('Making it smaller')
        const ready = await shrinkPicture(file)
        if (ready.refused !== null) return setProblems({ file: ready.refused })
        const { file: body, filename } = ready
        setStep(`Sending ${sizeInWords(body.size)}`)
        onAdded(await callAsOfficer(addPicture, { params: place, query: { filename, alt }, file: body }))
      } catch (failure) {
        if (failure instanceof CallFailure) setProblems(failure.errors ?? {})
        throw failure
      } finally {
        onSending?.(false)
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
      <ActionMessages action={action} />
      <Field
        label="Picture"
        name="file"
        id={`${id}-file`}
        type="file"
        accept="image/*"
        hint="Photographs are made smaller here before they are sent; whatever is sent may have 25 MB. What the camera noted of the place is taken out."
        onChange={({ target }) => setFile(target.files?.[0] ?? null)}
        {...(problems.file && { error: problems.file })}
      />
      <Field
        label="What it shows"
        name="alt"
        id={`${id}-alt`}
        hint="For people who cannot see it: one sentence."
        value={alt}
        onChange={({ target }) => setAlt(target.value)}
        {...(problems.alt && { error: problems.alt })}
      />
      {action.busy !== null && <progress className="upload-progress" aria-label={step} />}
      <Button type="submit" busy={action.busy !== null} busyLabel={step}>
        {action.failure && Object.keys(problems).length === 0 ? 'Try again' : 'Add the picture'}
      </Button>
    </form>
  )
}

function sizeInWords(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
