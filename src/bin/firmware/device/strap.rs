//! The strap that tells which playfield is plugged in, and the ADC it shares with the sensors.

use embassy_rp::Peri;
use embassy_rp::adc::{self, Adc, Blocking};
use embassy_rp::gpio::Pull;
use embassy_rp::pac;
use embassy_rp::peripherals::{ADC, PIN_26, PIN_27};
use lodestone::geometry::Playfield;
use lodestone::wiring::{self, StrapFault, playfield_of};

/// A strap counts when so many readings in a row agree: a plug goes in contact by contact.
const READINGS: usize = 4;
/// The ADC's input of the joined sensor line.
const SENSE_INPUT: u8 = wiring::SENSE - 26; // input 0 is GP26

/// The ADC, set to the sensors except while the strap is read.
pub(super) struct Converter {
    adc: Adc<'static, Blocking>,
    /// Held so that the pin stays analog.
    _sense: adc::Channel<'static>,
    strap: adc::Channel<'static>,
}

impl Converter {
    pub(super) fn new(
        adc: Peri<'static, ADC>,
        sense: Peri<'static, PIN_26>,
        strap: Peri<'static, PIN_27>,
    ) -> Converter {
        Converter {
            adc: Adc::new_blocking(adc, adc::Config::default()),
            _sense: adc::Channel::new_pin(sense, Pull::None),
            strap: adc::Channel::new_pin(strap, Pull::None),
        }
    }

    /// Which playfield is plugged in; takes about 10 µs. Not during a scan.
    pub(super) fn playfield(&mut self) -> Result<Playfield, StrapFault> {
        // Otherwise the readings would wait in the FIFO as if they were samples.
        pac::ADC.fcs().write(|w| w.set_en(false));
        let mut read = || match self.adc.blocking_read(&mut self.strap) {
            Ok(code) => playfield_of(code),
            Err(adc::Error::ConversionFailed) => Err(StrapFault::Unknown),
        };
        let first = read();
        let agreed = (1..READINGS).all(|_| read() == first);
        pac::ADC.cs().modify(|w| w.set_ainsel(SENSE_INPUT));
        if agreed { first } else { Err(StrapFault::Unknown) }
    }
}
