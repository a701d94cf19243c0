/** Asks before a page is left with something that is not saved: in the console, and by the browser itself. */
import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useBlocker } from '@tanstack/react-router'
import { common } from '../i18n/common'
import { defineTexts, useTexts } from '../i18n/texts'

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

interface LeaveGuardOptions {
  /** Asked when somebody is about to go: what was just saved is not asked for. */
  hasChanged: () => boolean
  /** Another search in the address is no leaving: it only shows the same in another way. */
  isSearchFree?: boolean
}

export function useLeaveGuard({ hasChanged, isSearchFree = false }: LeaveGuardOptions): void {
  const t = useTexts(texts)
  const words = useTexts(common)
  const ask = async () =>
    new Promise<boolean>((resolve) => {
      modals.openConfirmModal({
        title: t('question'),
        children: <Text>{t('warning')}</Text>,
        labels: { confirm: t('leave'), cancel: words('cancel') },
        confirmProps: { color: 'red' },
        onConfirm: () => resolve(false),
        onClose: () => resolve(true),
        onCancel: () => resolve(true),
      })
    })
  useBlocker({
    enableBeforeUnload: hasChanged,
    shouldBlockFn: async ({ current, next }) => {
      const isSamePage =
        current.pathname === next.pathname &&
        (isSearchFree || JSON.stringify(current.search) === JSON.stringify(next.search))
      return hasChanged() && !isSamePage ? ask() : false
    },
  })
}
