import { useState } from 'react'
import { cropPicture, uncropPicture, type PictureDetail } from '#contract/console-media.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { ChoiceTabs } from '#web/features/console/choice-tabs.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { useAction } from '#web/features/console/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { cropOf, frameOf, inRatio, wholeFrame, type Ratio } from './crop-frame.rules.ts'
import { forgetSeenPictures } from './fresh-address.ts'
import { CropPreview, PictureCropper } from './picture-cropper.tsx'

const CHOICES: readonly (readonly [Ratio, string])[] = [
  ['free', 'Free'],
  ['4:3', '4:3'],
  ['16:9', '16:9'],
  ['square', 'Square'],
  ['portrait', 'Portrait'],
]

/** Shows a part of a picture wherever it stands, and gives the whole back. */
export function CropSheet({
  picture,
  original,
  params,
  onChanged,
}: {
  picture: PictureDetail
  original: NonNullable<PictureDetail['original']>
  params: { bucket: string; folder: string; filename: string }
  onChanged(picture: PictureDetail): void
}) {
  const { crop } = picture
  const [ratio, setRatio] = useState<Ratio>('free')
  const [frame, setFrame] = useState(() => (crop ? frameOf(crop, original) : wholeFrame(original)))
  const action = useAction()
  const wanted = cropOf(frame, original)
  const isSame = JSON.stringify(wanted) === JSON.stringify(crop ?? cropOf(wholeFrame(original), original))

  async function change(what: 'crop' | 'uncrop', done: string) {
    await action.run(
      what,
      async () => {
        const next =
          what === 'crop'
            ? await callAsOfficer(cropPicture, { params, body: wanted })
            : await callAsOfficer(uncropPicture, { params })
        forgetSeenPictures()
        if (what === 'uncrop') setFrame(wholeFrame(original))
        onChanged(next)
      },
      done,
    )
  }

  return (
    <Sheet title="Crop">
      <ActionMessages action={action} />
      <p>
        Drag the frame or its corners, or choose one of them with the Tab key and use the arrow keys; with Shift they go
        further. The whole picture is kept.
      </p>
      <ChoiceTabs
        label="Form of the frame"
        choices={CHOICES}
        chosen={ratio}
        onChoose={(next) => {
          setRatio(next)
          setFrame((before) => inRatio(before, next, original))
        }}
      />
      <div className="crop-desk">
        <PictureCropper
          preview={original.preview}
          whole={original}
          frame={frame}
          ratio={ratio}
          onChange={(next) => setFrame(next)}
        />
        <figure>
          <CropPreview preview={original.preview} whole={original} frame={frame} />
          <figcaption className="small soft">How it will look</figcaption>
        </figure>
      </div>
      <div className="buttons">
        <Button
          busy={action.busy === 'crop'}
          busyLabel="Cropping"
          disabled={isSame}
          onClick={() => void change('crop', 'Cropped. Visitors see it so within a minute.')}
        >
          Crop it
        </Button>
        {crop && (
          <Button
            variant="line"
            busy={action.busy === 'uncrop'}
            busyLabel="Giving it back"
            onClick={() => void change('uncrop', 'The whole picture is back.')}
          >
            Give the whole picture back
          </Button>
        )}
      </div>
    </Sheet>
  )
}
