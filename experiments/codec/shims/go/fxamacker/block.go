package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"unicode/utf8"
)

// Messages as a struct in one block, as codec.h lays it out. Whatever a block says is held against its length.

const (
	spanSize     = 8
	requestSize  = 16
	responseSize = 16
	complexSize  = 24
)

var (
	errShort   = errors.New("the block ends too soon")
	errOutside = errors.New("a text or a list lies outside the block")
	errUTF8    = errors.New("a text is not UTF-8")
)

// Appends a head that names a text or a list: where it lies, and how many bytes or elements there are.
func putSpan(block []byte, offset, count int) []byte {
	block = binary.LittleEndian.AppendUint32(block, uint32(offset))
	return binary.LittleEndian.AppendUint32(block, uint32(count))
}

// Returns the part of a block that a head names, of elements that have a size.
func span(block, head []byte, size int) ([]byte, error) {
	offset := uint64(binary.LittleEndian.Uint32(head))
	end := offset + uint64(binary.LittleEndian.Uint32(head[4:]))*uint64(size)
	if end > uint64(len(block)) {
		return nil, errOutside
	}
	return block[offset:end:end], nil
}

// Copies a text. Go's strings need not be UTF-8, so that it is checked here.
func text(block, head []byte) (string, error) {
	found, err := span(block, head, 1)
	if err != nil {
		return "", err
	}
	if !utf8.Valid(found) {
		return "", errUTF8
	}
	return string(found), nil
}

func (r *request) pack() []byte {
	block := make([]byte, 0, requestSize+len(r.Message))
	block = putSpan(block, requestSize, len(r.Message))
	block = binary.LittleEndian.AppendUint64(block, uint64(r.Number))
	return append(block, r.Message...)
}

func (r *request) unpack(block []byte) error {
	if len(block) < requestSize {
		return errShort
	}
	return r.take(block, block[:requestSize])
}

// Takes the fields of a head, whose text lies in the block.
func (r *request) take(block, head []byte) (err error) {
	r.Message, err = text(block, head)
	r.Number = int64(binary.LittleEndian.Uint64(head[spanSize:]))
	return err
}

func (r *response) pack() []byte {
	end := responseSize + len(r.First)
	block := make([]byte, 0, end+len(r.Second))
	block = putSpan(block, responseSize, len(r.First))
	block = putSpan(block, end, len(r.Second))
	block = append(block, r.First...)
	return append(block, r.Second...)
}

func (r *response) unpack(block []byte) (err error) {
	if len(block) < responseSize {
		return errShort
	}
	if r.First, err = text(block, block); err != nil {
		return err
	}
	r.Second, err = text(block, block[spanSize:])
	return err
}

func (c *complexRequest) pack() []byte {
	tags := complexSize + requestSize*len(c.Items)
	end := tags + spanSize*len(c.Tags)
	size := end + c.textBytes()
	block := make([]byte, 0, size)
	block = putSpan(block, complexSize, len(c.Items))
	block = putSpan(block, tags, len(c.Tags))
	if c.Note == nil {
		block = putSpan(block, 0, 0)
	} else { // the last of all texts
		block = putSpan(block, size-len(*c.Note), len(*c.Note))
	}
	for place := range c.Items {
		item := &c.Items[place]
		block = putSpan(block, end, len(item.Message))
		block = binary.LittleEndian.AppendUint64(block, uint64(item.Number))
		end += len(item.Message)
	}
	for _, tag := range c.Tags {
		block = putSpan(block, end, len(tag))
		end += len(tag)
	}
	for place := range c.Items {
		block = append(block, c.Items[place].Message...)
	}
	for _, tag := range c.Tags {
		block = append(block, tag...)
	}
	if c.Note != nil {
		block = append(block, *c.Note...)
	}
	return block
}

// Returns the bytes of all texts.
func (c *complexRequest) textBytes() (size int) {
	for place := range c.Items {
		size += len(c.Items[place].Message)
	}
	for _, tag := range c.Tags {
		size += len(tag)
	}
	if c.Note != nil {
		size += len(*c.Note)
	}
	return size
}

func (c *complexRequest) unpack(block []byte) error {
	if len(block) < complexSize {
		return errShort
	}
	items, err := span(block, block, requestSize)
	if err != nil {
		return err
	}
	tags, err := span(block, block[spanSize:], spanSize)
	if err != nil {
		return err
	}
	c.Items = make([]request, len(items)/requestSize)
	for place := range c.Items {
		if err := c.Items[place].take(block, items[place*requestSize:]); err != nil {
			return err
		}
	}
	c.Tags = make([]string, len(tags)/spanSize)
	for place := range c.Tags {
		if c.Tags[place], err = text(block, tags[place*spanSize:]); err != nil {
			return err
		}
	}
	note := block[2*spanSize:]
	if binary.LittleEndian.Uint32(note) == 0 {
		return nil
	}
	found, err := text(block, note)
	c.Note = &found
	return err
}

// Memory that is joined is not filled with zeros before, as that of `make` is.
func (p *payload) pack() []byte {
	var head [spanSize]byte
	return bytes.Join([][]byte{putSpan(head[:0], spanSize, len(p.Bytes)), p.Bytes}, nil)
}

func (p *payload) unpack(block []byte) error {
	found, err := bytesOf(block)
	p.Bytes = bytes.Clone(found)
	return err
}

func (p *payloadView) unpack(block []byte) (err error) {
	p.Bytes, err = bytesOf(block)
	return err
}

// Returns the bytes of a payload, where they lie.
func bytesOf(block []byte) ([]byte, error) {
	if len(block) < spanSize {
		return nil, errShort
	}
	return span(block, block, 1)
}
