import { useState } from 'react'
import { addPicture, MOST_PICTURE_BYTES, PICTURE_TOO_LARGE, type DescribedPicture } from '#contract/console-media.ts'
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
}: {
  place: { bucket: string; folder: string }
  onAdded(picture: DescribedPicture): void
}) {
  const action = useAction()
  const [file, setFile] = useState<File | null>(null)
  const [alt, setAlt] = useState('')
  const [problems, setProblems] = useState<Problems>({})

  async function send() {
    if (!file) return setProblems({ file: 'Please choose a picture' })
    if (alt.trim() === '') return setProblems({ alt: 'Please say what the picture shows' })
    setProblems({})
    await action.run('add', async () => {
      try {
        const { file: body, filename } = await shrinkPicture(file)
        if (body.size > MOST_PICTURE_BYTES) return setProblems({ file: PICTURE_TOO_LARGE })
        onAdded(await callAsOfficer(addPicture, { params: place, query: { filename, alt }, file: body }))
      } catch (failure) {
        if (failure instanceof CallFailure) setProblems(failure.errors ?? {})
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
      <ActionMessages action={action} />
      <Field
        label="Picture"
        name="file"
        type="file"
        accept="image/*"
        hint="Up to 25 MB. It is made as small as the site needs it, and loses what the camera noted of the place."
        onChange={({ target }) => setFile(target.files?.[0] ?? null)}
        {...(problems.file && { error: problems.file })}
      />
      <Field
        label="What it shows"
        name="alt"
        hint="For who cannot see it: one sentence."
        value={alt}
        onChange={({ target }) => setAlt(target.value)}
        {...(problems.alt && { error: problems.alt })}
      />
      <Button type="submit" busy={action.busy !== null} busyLabel="Adding the picture">
        Add the picture
      </Button>
    </form>
  )
}
