"""Operations rendered as the loop of each language, by its one template in `native/loops/LANGUAGE`."""
