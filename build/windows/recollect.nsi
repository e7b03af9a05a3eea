; The installer for Windows: for one person, so that it needs no administrator.
; Called with -DVERSION, -DVERSION4, -DFILES (a folder), -DOUTPUT and -DARCH.
Unicode true
SetCompressor /SOLID lzma
SetDateSave off
ManifestDPIAware true
RequestExecutionLevel user

!include "MUI2.nsh"
!include "x64.nsh"
!include "WinVer.nsh"

!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Recollect"

Name "Recollect"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\Recollect"
InstallDirRegKey HKCU "${KEY}" "InstallLocation"
BrandingText "Recollect ${VERSION}"

VIProductVersion "${VERSION4}"
VIAddVersionKey "ProductName" "Recollect"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "Installs Recollect"
VIAddVersionKey "LegalCopyright" "Apache License 2.0"

!define MUI_ICON "recollect.ico"
!define MUI_UNICON "recollect.ico"
!define MUI_ABORTWARNING
!define MUI_FINISHPAGE_RUN "$INSTDIR\Recollect.exe"

!insertmacro MUI_PAGE_LICENSE "${FILES}\LICENSE.txt"
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

Function .onInit
  ${IfNot} ${AtLeastWin10}
    MessageBox MB_OK|MB_ICONSTOP "Recollect needs Windows 10 or newer."
    Abort
  ${EndIf}
FunctionEnd

; Edits the person's search path in PowerShell: NSIS would cut a long one off.
!macro EditPath script
  InitPluginsDir
  FileOpen $0 "$PLUGINSDIR\path.ps1" w
  FileWrite $0 "$$bin = '$INSTDIR\bin'$\r$\n"
  FileWrite $0 "$$key = Get-Item 'HKCU:\Environment'$\r$\n"
  FileWrite $0 "$$old = $$key.GetValue('Path', '', 'DoNotExpandEnvironmentNames')$\r$\n"
  FileWrite $0 "$$rest = @($$old -split ';' | Where-Object { $$_ -and $$_ -ne $$bin })$\r$\n"
  FileWrite $0 `${script}$\r$\n`
  FileWrite $0 "Set-ItemProperty 'HKCU:\Environment' -Name Path -Type ExpandString -Value ($$new -join ';')$\r$\n"
  FileClose $0
  nsExec::Exec 'powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "$PLUGINSDIR\path.ps1"'
  Pop $0
  SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=5000
!macroend

Section "Recollect" SectionProgram
  SectionIn RO
  ; A running background process would hold its file.
  IfFileExists "$INSTDIR\bin\recollect.exe" 0 +3
    nsExec::Exec '"$INSTDIR\bin\recollect.exe" service stop'
    Pop $0
  SetOutPath "$INSTDIR"
  File "${FILES}\Recollect.exe"
  File "${FILES}\LICENSE.txt"
  File "${FILES}\third-party.txt"
  SetOutPath "$INSTDIR\bin"
  File "${FILES}\bin\recollect.exe"
  SetOutPath "$INSTDIR"
  CreateShortcut "$SMPROGRAMS\Recollect.lnk" "$INSTDIR\Recollect.exe"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKCU "${KEY}" "DisplayName" "Recollect"
  WriteRegStr HKCU "${KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${KEY}" "DisplayIcon" "$INSTDIR\Recollect.exe"
  WriteRegStr HKCU "${KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${KEY}" "NoRepair" 1
SectionEnd

Section "Command line in every terminal" SectionPath
  !insertmacro EditPath "$$new = $$rest + $$bin"
SectionEnd

LangString AboutProgram ${LANG_ENGLISH} "The window, and the command line in the folder bin."
LangString AboutPath ${LANG_ENGLISH} "Adds the folder bin to your search path."
!insertmacro MUI_FUNCTION_DESCRIPTION_BEGIN
  !insertmacro MUI_DESCRIPTION_TEXT ${SectionProgram} $(AboutProgram)
  !insertmacro MUI_DESCRIPTION_TEXT ${SectionPath} $(AboutPath)
!insertmacro MUI_FUNCTION_DESCRIPTION_END

; What people wrote, and what was remembered, stays where it is.
Section "Uninstall"
  nsExec::Exec '"$INSTDIR\bin\recollect.exe" service uninstall'
  Pop $0
  !insertmacro EditPath "$$new = $$rest"
  Delete "$SMPROGRAMS\Recollect.lnk"
  Delete "$INSTDIR\Recollect.exe"
  Delete "$INSTDIR\LICENSE.txt"
  Delete "$INSTDIR\third-party.txt"
  Delete "$INSTDIR\bin\recollect.exe"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR\bin"
  RMDir "$INSTDIR"
  DeleteRegKey HKCU "${KEY}"
SectionEnd
