/** Asks before a page is left with something that is not saved: in the console, and by the browser itself. */
import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useBlocker } from '@tanstack/react-router'
import { common } from '../i18n/common'
import { defineTexts, textOf } from '../i18n/texts'

const texts = defineTexts('leave-guard', {
  en: {
    leave: 'Leave',
    question: 'Leave without saving?',
    warning: 'What you have changed here is lost.',
  },
  de: {
    leave: 'Verlassen',
    question: 'Verlassen, ohne zu speichern?',
    warning: 'Was Sie hier geändert haben, geht verloren.',
  },
})

/** Whether what is not saved may be lost. */
export async function askToLeave(): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    modals.openConfirmModal({
      title: textOf(texts, 'question'),
      children: <Text>{textOf(texts, 'warning')}</Text>,
      labels: { confirm: textOf(texts, 'leave'), cancel: textOf(common, 'cancel') },
      confirmProps: { color: 'red' },
      onConfirm: () => resolve(true),
      onClose: () => resolve(false),
      onCancel: () => resolve(false),
    })
  })
}

interface LeaveGuardOptions {
  /** Asked when somebody is about to go: what was just saved is not asked for. */
  hasChanged: () => boolean
  /** Another search in the address is no leaving: it only shows the same in another way. */
  isSearchFree?: boolean
}

export function useLeaveGuard({ hasChanged, isSearchFree = false }: LeaveGuardOptions): void {
  useBlocker({
    enableBeforeUnload: hasChanged,
    shouldBlockFn: async ({ current, next }) => {
      const isSamePage =
        current.pathname === next.pathname &&
        (isSearchFree || JSON.stringify(current.search) === JSON.stringify(next.search))
      return hasChanged() && !isSamePage ? !(await askToLeave()) : false
    },
  })
}
