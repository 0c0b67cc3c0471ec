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
import { PrintCheckbox } from './print-checkbox.tsx'

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
  const [isPrint, setPrint] = useState(crop?.isPrint ?? false)
  const action = useAction()
  const part = toCrop(frame, original)
  const { isPrint: wasPrint = false, ...before } = crop ?? toCrop(wholeFrame(original), original)
  const isWhole = JSON.stringify(part) === JSON.stringify(toCrop(wholeFrame(original), original))
  const isSamePart = JSON.stringify(part) === JSON.stringify(before)
  const isOnlyPrint = isSamePart && isPrint !== wasPrint

  async function change(what: 'crop' | 'uncrop', done: string) {
    await action.run(
      what,
      async () => {
        const isOriginal = !isPrint && isWhole
        const next =
          what === 'crop' && !isOriginal
            ? await callAsOfficer(cropPicture, { params, body: { ...part, ...(isPrint && { isPrint }) } })
            : await callAsOfficer(uncropPicture, { params })
        invalidatePreviews()
        if (what === 'uncrop') {
          setFrame(wholeFrame(original))
          setPrint(false)
        }
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
      <PrintCheckbox isPrint={isPrint} onChange={setPrint} />
      <div className="buttons">
        <Button
          busy={action.busy === 'crop'}
          busyLabel={isOnlyPrint ? 'Applying' : 'Cropping'}
          disabled={isSamePart && !isOnlyPrint}
          onClick={() =>
            void change('crop', `${isOnlyPrint ? 'Applied' : 'Cropped'}. The change is live within a minute.`)
          }
        >
          {isOnlyPrint ? 'Apply' : 'Crop'}
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
