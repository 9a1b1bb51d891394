import { Alert, Modal, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  type CameraFault,
  cameraFaultOf,
  closeCamera,
  openCamera,
  openCodeReader,
} from '../../ui/camera/code-reader.ts'
import { commonWords } from '../../ui/common-words.ts'
import { useWords } from '../../ui/words.ts'
import classes from './camera-dialog.module.css'
import { voucherWords } from './words.ts'

interface CameraDialogProps {
  onCode: (code: string) => void
  onClose: () => void
}

/** Looks through the camera of this machine until it sees a code. Nothing that it sees leaves the page. */
const CameraDialog = ({ onCode, onClose }: CameraDialogProps) => {
  const { camera: words } = useWords(voucherWords)
  const common = useWords(commonWords)
  const [fault, setFault] = useState<CameraFault | null>(null)
  return (
    <Modal opened onClose={onClose} title={words.title} closeButtonProps={{ 'aria-label': common.close }}>
      {fault === null ? (
        <>
          <CameraPicture onCode={onCode} onFault={setFault} />
          <Text mt="sm">{words.more}</Text>
        </>
      ) : (
        <Alert color="warn" role="alert">
          {words[fault]}
        </Alert>
      )}
    </Modal>
  )
}

interface CameraPictureProps {
  onCode: (code: string) => void
  onFault: (fault: CameraFault) => void
}

const CameraPicture = ({ onCode, onFault }: CameraPictureProps) => {
  const { camera: words } = useWords(voucherWords)
  const video = useRef<HTMLVideoElement>(null)
  const [isOn, setOn] = useState(false)
  const tell = useEffectEvent(onCode)
  const fail = useEffectEvent(onFault)

  useEffect(() => {
    let stream: MediaStream | null = null
    let isOver = false
    const reader = openCodeReader((text) => {
      if (!isOver) tell(text)
      return true
    })
    const start = async (screen: HTMLVideoElement) => {
      try {
        stream = await openCamera(null)
        if (isOver) return closeCamera(stream)
        screen.srcObject = stream
        await screen.play()
        setOn(true)
        reader.watch(screen, stream)
      } catch (error) {
        closeCamera(stream)
        if (!isOver) fail(cameraFaultOf(error))
      }
    }
    void start(video.current!)
    return () => {
      isOver = true
      closeCamera(stream)
      reader.close()
    }
  }, [])

  return (
    <div className={classes.frame} data-camera={isOn ? 'on' : 'starting'}>
      <video ref={video} className={classes.video} muted playsInline aria-label={words.picture} />
    </div>
  )
}

export default CameraDialog
