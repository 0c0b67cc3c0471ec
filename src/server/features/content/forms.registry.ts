import type { ContentForm } from './form-builder.rules.ts'
import { newsAndEventsForms } from './news-and-events.forms.ts'
import { peopleForms } from './people.forms.ts'
import { settingsForms } from './settings.forms.ts'
import { textForms } from './text.forms.ts'

/** All kinds of content, in the order of the console. */
export const contentForms: readonly ContentForm[] = [
  ...newsAndEventsForms,
  ...peopleForms,
  ...textForms,
  ...settingsForms,
]
