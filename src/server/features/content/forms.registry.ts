import type { ContentForm } from './content-form.ts'
import { newsAndEventsForms } from './news-and-events.forms.ts'
import { peopleForms } from './people.forms.ts'
import { settingsForms } from './settings.forms.ts'
import { wordForms } from './words.forms.ts'

/** Everything officers may write, in the order it is offered. A new kind is one more object. */
export const contentForms: readonly ContentForm[] = [
  ...newsAndEventsForms,
  ...peopleForms,
  ...wordForms,
  ...settingsForms,
]
