import { Modal } from '@mantine/core'
import { type ReactNode, Suspense, useRef } from 'react'
import { useFocusBack } from './focus-back'
import { askToLeave } from './leave-guard'
import { NumbersIn } from './phone-number'

/**
 * A form in a dialog. It is remounted each time it is opened, so that it starts with its initial values; with a form
 * that is lazily loaded (`partOf`) it opens when that is there, with the focus in its first field.
 */
export function FormModal({
  title,
  opened,
  onClose,
  size = 'lg',
  hasChanged,
  children,
}: {
  title: string
  opened: boolean
  onClose: () => void
  size?: string
  /** For long forms: Escape or a click outside asks before the input is discarded. */
  hasChanged?: () => boolean
  children: ReactNode
}) {
  useFocusBack(opened)
  const isAsking = useRef(false)
  const close = () => {
    if (!hasChanged?.()) {
      onClose()
      return
    }
    if (isAsking.current) return
    isAsking.current = true
    void askToLeave().then((mayLeave) => {
      // The key that closed the confirmation must not close this dialog, too.
      setTimeout(() => (isAsking.current = false))
      if (mayLeave) onClose()
    })
  }
  return (
    <Suspense>
      <Modal opened={opened} onClose={close} title={<NumbersIn text={title} />} size={size}>
        {children}
      </Modal>
    </Suspense>
  )
}
