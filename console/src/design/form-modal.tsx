import { Modal } from '@mantine/core'
import { type ReactNode, Suspense, useRef } from 'react'
import { useFocusBack } from './focus-back'
import { askToLeave } from './leave-guard'

/**
 * A form in a dialog. It is mounted anew each time it is opened, so that it begins with what it is given; with a form
 * that is still fetched (`partOf`) it opens when that is there, with the focus in its first field.
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
  /** Of a form that is long: what was typed is not lost by Escape, or by a click beside it, without being asked for. */
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
      // The key that closed the question is none for this dialog.
      setTimeout(() => (isAsking.current = false))
      if (mayLeave) onClose()
    })
  }
  return (
    <Suspense>
      <Modal opened={opened} onClose={close} title={title} size={size}>
        {children}
      </Modal>
    </Suspense>
  )
}
