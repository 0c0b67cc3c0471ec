import { useState } from 'react'
import { cropPicture, uncropPicture, type PictureDetail } from '#contract/console/media.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { ChoiceTabs } from '../forms/choice-tabs.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { useAction } from '../shell/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { toCrop, toFrame, fitRatio, wholeFrame, type Ratio } from './crop-frame.rules.ts'
import { invalidatePreviews } from '../content/preview-url.ts'
import { CropPreview, PictureCropper } from './picture-cropper.tsx'

const CHOICES: readonly (readonly [Ratio, string])[] = [
  ['free', 'Free'],
  ['4:3', '4:3'],
  ['16:9', '16:9'],
  ['square', 'Square'],
  ['portrait', 'Portrait'],
]

/** Crops an image everywhere it is used, or resets the crop. */
export function CropCard({
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
  const [frame, setFrame] = useState(() => (crop ? toFrame(crop, original) : wholeFrame(original)))
  const action = useAction()
  const wanted = toCrop(frame, original)
  const isSame = JSON.stringify(wanted) === JSON.stringify(crop ?? toCrop(wholeFrame(original), original))

  async function change(what: 'crop' | 'uncrop', done: string) {
    await action.run(
      what,
      async () => {
        const next =
          what === 'crop'
            ? await callAsOfficer(cropPicture, { params, body: wanted })
            : await callAsOfficer(uncropPicture, { params })
        invalidatePreviews()
        if (what === 'uncrop') setFrame(wholeFrame(original))
        onChanged(next)
      },
      done,
    )
  }

  return (
    <Card title="Crop">
      <ActionMessages action={action} />
      <p>
        Drag the frame or its corners, or select one with Tab and use the arrow keys (Shift for larger steps). The
        original is kept.
      </p>
      <ChoiceTabs
        label="Aspect ratio"
        choices={CHOICES}
        chosen={ratio}
        onChoose={(next) => {
          setRatio(next)
          setFrame((before) => fitRatio(before, next, original))
        }}
      />
      <div className="crop-editor">
        <PictureCropper
          preview={original.preview}
          whole={original}
          frame={frame}
          ratio={ratio}
          onChange={(next) => setFrame(next)}
        />
        <figure>
          <CropPreview preview={original.preview} whole={original} frame={frame} />
          <figcaption className="small soft">Preview</figcaption>
        </figure>
      </div>
      <div className="buttons">
        <Button
          busy={action.busy === 'crop'}
          busyLabel="Cropping"
          disabled={isSame}
          onClick={() => void change('crop', 'Cropped. The change is live within a minute.')}
        >
          Crop
        </Button>
        {crop && (
          <Button
            variant="line"
            busy={action.busy === 'uncrop'}
            busyLabel="Resetting"
            onClick={() => void change('uncrop', 'Crop reset.')}
          >
            Reset crop
          </Button>
        )}
      </div>
    </Card>
  )
}
