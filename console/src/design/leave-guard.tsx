/** Asks before a page with unsaved changes is left: in the console, and by the browser itself. */
import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useBlocker } from '@tanstack/react-router'
import { common } from '../i18n/common'
import { textOf } from '../i18n/texts'
import { designTexts } from './texts'

const texts = designTexts.leaveGuard

/** Whether there are unsaved changes. */
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
  /** Evaluated at the moment of leaving: what was just saved does not count. */
  hasChanged: () => boolean
  /** A change of the search parameters is no leaving: it is the same page. */
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
